import { pluginServer } from "../../provider/engine/usePlugin";
import { readManifest } from "./packageManifest";

/** The name that the engine, the Registry and programs know. */
const NAME = "talos-aws";

const { name: npmName, version, license, homepage, keywords, repository } = readManifest();

/** `https://github.com/<owner>/<repository>`. The Registry expects the repository to be `pulumi-<name>`. */
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, "");

/** `<owner>/<repository>`. */
const SLUG = new URL(REPOSITORY).pathname.slice(1);

/**
 * What the schema says of the package as a whole, for the engine, generators of SDKs and the Registry. A release has
 * it at its tag. Source of the members: pulumi/registry, tools/resourcedocsgen/cmd/metadata.go, and pulumi/docs,
 * packages/publishing-packages.md.
 */
export const packageFacts = {
  name: NAME,
  version,
  displayName: "Talos on AWS",
  publisher: SLUG.split("/")[0],
  description:
    "The package talos-aws: Kubernetes on AWS with Talos Linux, as resources and components",
  license,
  homepage,
  repository: REPOSITORY,
  logoUrl: `https://raw.githubusercontent.com/${SLUG}/v${version}/docs/logo.svg`,
  pluginDownloadURL: pluginServer(),
  keywords: [...keywords, "kind/component", "category/infrastructure"],
  meta: { supportPack: true },
  language: {
    nodejs: { packageName: npmName, respectSchemaVersion: true },
    // With a pyproject.toml, the SDK would name a README.md that it does not have (pulumi v3.230.0).
    python: { packageName: "pulumi_talos_aws", respectSchemaVersion: true },
    go: {
      respectSchemaVersion: true,
      generateResourceContainerTypes: true,
      // Without it, objects that are only values of a list or map have no type for arguments (pulumi v3.230.0).
      generateExtraInputTypes: true,
    },
    csharp: { respectSchemaVersion: true, namespaces: { [NAME]: "TalosAws" } },
    java: {},
  },
};
