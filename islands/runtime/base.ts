/**
 * What nearly every island uses. Each island's entry imports it whole, so that it travels as one file, which the browser keeps from page to
 * page. Split by use it would be a dozen small files that compress worse and wait for each other.
 */
import "react";
import "react-dom/client";
import "@preact/signals-react";
import "@preact/signals-react/runtime";
import "../../src/accounts/schema";
import "../../src/identity/schema_standing";
import "../../src/lib/endpoint";
import "../../src/lib/fit";
import "../../src/lib/line";
import "../../src/lib/money";
import "../../src/lib/shapes";
import "../../src/market/schema";
import "../../src/portal/schema";
import "../../src/trading/rules_prices";
import "../../views/ui/Badge";
import "../../views/ui/Button";
import "../../views/ui/Card";
import "../../views/ui/Field";
import "../../views/ui/Icon";
import "../../views/ui/Price";
import "../../views/ui/Stat";
import "../../views/ui/States";
import "../../views/ui/Tabs";
import "../../views/ui/instant";
import "../wire/attempt";
import "../wire/intent";
import "../wire/stream";
import "./field_faults";
import "./idle";
import "./island";
import "./kept";
import "./later";
import "./live";
import "./tab_in_view";
import "./trading_store";
