import AdminBrand from "../../islands/texts/AdminBrand";
import type { BrandNow } from "../../src/texts/schema_brand";

/** The house's name, colours and pictures, as the Settings tab shows them. */
export const BrandPage = (props: { brand: BrandNow; mayChange: boolean }) => <AdminBrand {...props} />;
