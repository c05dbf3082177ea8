import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".cache/", ".local/", "**/gen/"] },
  eslint.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      eqeqeq: "error",
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["**/dist/**"], message: "import the source, not the build" }] },
      ],
    },
  },
  {
    files: ["**/*.ts"],
    ignores: ["emulator/**", "test/**", "scripts/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["**/emulator/**", "**/emulator"],
              message: "the product does not know its emulator",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["provider/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["@pulumi/aws", "@pulumi/aws/**", "**/components/**", "@aws-sdk/**"],
              message: "nothing in provider/ knows AWS",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["provider/pki/**/*.ts", "provider/config/**/*.ts", "provider/api/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["@pulumi/*", "@aws-sdk/**", "**/resources/**"],
              message: "the core is pure: no Pulumi, no AWS",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        Buffer: "readonly",
        fetch: "readonly",
        AbortSignal: "readonly",
      },
    },
  },
);
