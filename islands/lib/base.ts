/**
 * What nearly every island uses. Each island's entry takes it whole, so that it travels as one file and is kept by the browser
 * from page to page: cut up by who uses what, it would be a dozen small ones, which pack worse and wait for each other.
 */
import "react";
import "react-dom/client";
import "@preact/signals-react";
import "@preact/signals-react/runtime";
import "../../src/lib/endpoint";
import "../../src/lib/fit";
import "../../src/lib/money";
import "../../src/lib/shapes";
import "../../views/ui/Button";
import "../../views/ui/Card";
import "../../views/ui/Field";
import "../../views/ui/Icon";
import "../../views/ui/Price";
import "../../views/ui/Stat";
import "../../views/ui/States";
import "../../views/ui/Tabs";
import "./deed";
import "./island";
import "./later";
