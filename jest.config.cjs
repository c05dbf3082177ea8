/** Suites run in this order, fast ones first; `npm test` runs each as a jest project of its own. */
const suites = ["unit", "components", "engine", "conformance"];

module.exports = {
  projects: suites.map((suite) => ({
    displayName: suite,
    testEnvironment: "<rootDir>/test/environment.cjs",
    testMatch:
      suite === "unit"
        ? ["<rootDir>/test/{provider,emulator,scripts,environments,preview,cli}/**/*.test.ts"]
        : [`<rootDir>/test/${suite}/**/*.test.ts`],
    transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
    // Examples import the package by its name.
    moduleNameMapper: { "^pulumi-talos-aws$": "<rootDir>/index.ts" },
    modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.cache/", "<rootDir>/.local/"],
  })),
};
