/** The same for the trading screens: what their islands share travels as one file. */
import "../../src/accounts/schema";
import "../../src/market/schema";
import "../../src/trading/rules";
import "../../src/trading/schema";
import "../../views/portal/SummaryCards";
import "../../views/portal/model";
import "./portal_keys";
