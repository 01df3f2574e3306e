/**
 * What nearly every island uses. Each island's entry imports it whole, so that it travels as one file, which the browser keeps from page to
 * page. Split by use it would be a dozen small files that compress worse and wait for each other.
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
import "../../views/ui/States";
import "../../views/ui/Tabs";
import "../wire/attempt";
import "../wire/intent";
import "./island";
import "./later";
