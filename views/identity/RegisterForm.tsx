import { Button } from "../ui/Button";
import { countries } from "../../src/lib/countries";
import { Field, SelectField } from "../ui/Field";
import { type Filled, FormTemplates, Optional, PlainEmailField, plainField, PlainPasswordField } from "../ui/PlainForm";

type Props = Filled & { returnTo: string };

/** A plain form post; the page's script checks as one types, says what the server said, and greets before it leaves. */
export function RegisterForm({ returnTo, ...filled }: Props) {
  const field = plainField(filled);
  return (
    <form noValidate method="post" action="/register" className="flex flex-col gap-5">
      <FormTemplates />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...field("firstName", "First name is required")} label="First name" autoComplete="given-name" maxLength={100} />
        <Field {...field("lastName", "Last name is required")} label="Last name" autoComplete="family-name" maxLength={100} />
      </div>
      <PlainEmailField {...field("email")} label="Email address" hint="We recommend using a Gmail address." />
      <PlainPasswordField
        {...field("password", "Password must be at least 6 characters")}
        label="Password"
        placeholder="min. 6 characters"
        autoComplete="new-password"
        minLength={6}
      />
      <Field
        {...field("referralCode")}
        label={
          <>
            Referral code <Optional />
          </>
        }
        hint="Enter a code to get bonus rewards."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        maxLength={40}
      />
      <SelectField
        {...field("country")}
        label={
          <>
            Country you live in <Optional />
          </>
        }
        autoComplete="country"
      >
        <option value="">Choose a country</option>
        {countries().map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <input type="hidden" name="returnTo" value={returnTo} />
      <Button type="submit" size="large" wide data-pending="Creating Account...">
        Create Account
      </Button>
    </form>
  );
}
