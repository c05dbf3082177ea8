import eslint from "@eslint/js";
import tseslint from "typescript-eslint";
import { documentedExports } from "./scripts/documentedExports.mjs";
import { dialect } from "./scripts/eslintRules.mjs";

const noBuild = { regex: "^\\.{1,2}/(.*/)?dist(/|$)", message: "import the source, not the build" };
const noEmulator = {
  group: ["**/emulator", "**/emulator/**"],
  message: "the product does not know its emulator",
};
const noProduct = {
  group: ["cli", "components", "environments", "policies", "preview"].map(
    (name) => `**/${name}/**`,
  ),
  message: "the emulator knows the product's Talos (provider/) alone",
};
const noScripts = {
  group: ["**/scripts/**", "**/test/**"],
  message: "the product does not know its tools and tests",
};
const noEnvironments = {
  group: ["**/environments", "**/environments/**"],
  message: "data flows environments → components → provider",
};
const noPlugin = {
  group: ["**/plugin", "**/plugin/**"],
  message: "what serves the engine is the plugin's own",
};
const noDescribed = {
  group: ["**/components", "**/components/**", "**/resources/**"],
  message: "the schema describes them, and does without",
};
const noCluster = {
  group: ["**/cluster", "**/cluster/**"],
  message: "a cluster is made of parts, which know nothing of it",
};
const noAws = {
  group: ["@pulumi/aws", "@pulumi/aws/**", "@aws-sdk/**", "**/components", "**/components/**"],
  message: "nothing in provider/ knows AWS",
};
const noPulumi = {
  group: ["@pulumi/*", "@pulumi/*/**", "**/resources/**", "**/serve", "**/talosResource"],
  message: "what handlers are made of knows no Pulumi",
};
const noNetwork = {
  group: ["@grpc/*", "**/api/**", "**/lifecycle/**"],
  message: "configuration and PKI are pure",
};

/** One rule for each room: a later block replaces an earlier one's, so each names all it forbids. */
const room = (files, ...patterns) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns: [noBuild, ...patterns] }] },
});

export default tseslint.config(
  {
    ignores: [
      "dist/",
      "emulator/dist/",
      "node_modules/",
      ".cache/",
      ".local/",
      "reference/",
      "**/gen/",
    ],
  },
  eslint.configs.recommended,
  {
    files: ["**/*.ts", "**/*.mts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
    plugins: { dialect },
    rules: {
      curly: "error",
      "dialect/import-order": "error",
      "dialect/private-keyword": "error",
      "dialect/throws-without-braces": "error",
      "@typescript-eslint/explicit-member-accessibility": ["error", { accessibility: "no-public" }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      eqeqeq: "error",
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.object.name='AbortSignal'][callee.property.name='any'] CallExpression[callee.property.name='timeout']",
          message:
            "Node.js 22.13 collects the timeout before it comes (nodejs/node#57736): keep a timer",
        },
        {
          selector: "CallExpression[callee.property.name='importStack']",
          message:
            "Pulumi's SDK writes the state into a file that all users can read: use importState",
        },
      ],
    },
  },
  {
    files: ["**/*.ts"],
    ignores: ["test/**"],
    rules: { "dialect/constant-case": "error" },
  },
  {
    // Talos still reads deprecated fields of a configuration, so these tests patch with them. The claim `sub` of a token
    // has the name of a deprecated method of texts.
    files: [
      "components/cluster/join/joinedWorkerPool",
      "conformance/kubernetesLife/badValues",
      "conformance/talosctlSession",
      "emulator/talos/{applyConfiguration,faultEffects,kubernetes/peoplesTokens}",
      "provider/config/patchDeletion",
      "provider/lifecycle/delivery/deliverConfiguration",
      "provider/lifecycle/etcdTurns",
      "provider/render/renderConfiguration",
      "provider/resources/configurationApply/{applyUpgrade,configurationApply,configurationApplyLife}",
    ].map((name) => `test/${name}{.test,}.ts`),
    rules: { "@typescript-eslint/no-deprecated": "off" },
  },
  {
    files: ["**/*.ts"],
    ignores: ["test/**", "scripts/**", "examples/**"],
    rules: {
      "dialect/room-index": [
        "error",
        {
          rooms: ["cli", "components", "emulator", "plugin", "policies", "preview", "provider"],
          deep: ["components", "provider"],
        },
      ],
    },
  },
  {
    files: ["components/**/*.ts", "provider/**/*.ts", "policies/**/*.ts"],
    plugins: { own: { rules: { "documented-exports": documentedExports } } },
    rules: { "own/documented-exports": "error" },
  },
  {
    files: ["components/**/*.ts"],
    rules: { "dialect/defined-properties": "error" },
  },
  room(["**/*.ts"]),
  room(["environments/**/*.ts"], noEmulator, noScripts, noPlugin),
  room(["emulator/**/*.ts"], noProduct, noScripts),
  room(["cli/**/*.ts"], noEmulator, noScripts),
  room(["components/**/*.ts"], noEmulator, noScripts, noEnvironments),
  room(["components/!(cluster)/**/*.ts"], noEmulator, noScripts, noEnvironments, noCluster),
  room(["preview/**/*.ts"], noEmulator, noScripts, noEnvironments, noNetwork),
  room(["policies/**/*.ts"], noEmulator, noScripts, noEnvironments, noPulumi, noNetwork),
  room(["provider/**/*.ts"], noEmulator, noScripts, noEnvironments, noAws),
  room(["provider/schema/**/*.ts"], noEmulator, noScripts, noEnvironments, noAws, noDescribed),
  // The one exception: it reads EC2's console output, which the AWS provider doesn't.
  room(["provider/console/**/*.ts"], noEmulator, noScripts, noEnvironments, noPulumi),
  room(
    ["provider/api/**/*.ts", "provider/lifecycle/**/*.ts"],
    noEmulator,
    noScripts,
    noEnvironments,
    noAws,
    noPulumi,
  ),
  room(
    ["provider/config/**/*.ts", "provider/pki/**/*.ts"],
    noEmulator,
    noScripts,
    noEnvironments,
    noAws,
    noPulumi,
    noNetwork,
  ),
  {
    files: ["**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        module: "readonly",
        __dirname: "readonly",
      },
    },
  },
);
