/** Suites run in this order, fast ones first; `npm test` runs each as a jest project of its own. */
const suites = ["unit", "components", "engine", "conformance"];

module.exports = {
  // For a computer that has other work: how fast something is, the bench measures.
  testTimeout: 60_000,
  projects: suites.map((suite) => ({
    displayName: suite,
    testEnvironment: "<rootDir>/test/environment.cjs",
    testMatch:
      suite === "unit"
        ? ["<rootDir>/test/{provider,emulator,scripts,environments,preview,cli}/**/*.test.ts"]
        : [`<rootDir>/test/${suite}/**/*.test.ts`],
    transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
    moduleNameMapper: {
      // Examples import the package by its name.
      "^pulumi-talos-aws$": "<rootDir>/index.ts",
      // Pulumi's SDK loads what takes the code of functions apart, which nothing here has it do: a
      // second of processor time for each test file.
      "^typescript$": "<rootDir>/test/lazy/typescript.cjs",
      "^@npmcli/arborist$": "<rootDir>/test/lazy/arborist.cjs",
    },
    modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/.cache/", "<rootDir>/.local/"],
  })),
};
