/** Elysia's development mode puts schemas into its answers. It looks at this when it is first loaded, so this module comes before it. */
Object.assign(process.env, { NODE_ENV: "production" });
