/** The same for the trading screens: what their islands share travels as one file. */
import "../../src/accounts/schema";
import "../../src/market/schema";
import "../../src/trading/rules";
import "../../src/trading/rules_prices";
import "../../src/trading/schema";
import "../../views/accounts/Profit";
import "../../views/ui/shortcut_keys";
import "./pick";
import "./portal_keys";
import "./alert_asked";
import "./screen";
