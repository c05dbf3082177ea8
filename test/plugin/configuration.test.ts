import { referenceOf } from "../../plugin/configuration";

const urn = (name: string) => `urn:pulumi:prod::shop::pulumi:providers:talos-aws::${name}`;
const url = "github://api.github.com/example/releases";

it.each([
  // The engine adds the version that it has found.
  ["default", { version: "0.1.0" }, {}],
  ["default_0_1_0", { version: "0.1.0" }, { version: "0.1.0" }],
  [
    "default_0_1_0_github_/api.github.com/example/releases",
    { version: "0.1.0", pluginDownloadURL: url },
    { version: "0.1.0", pluginDownloadURL: url },
  ],
  [
    "default_github_/api.github.com/example/releases",
    { pluginDownloadURL: url },
    { pluginDownloadURL: url },
  ],
])(
  "children of components name what the provider %s was asked for by",
  (name, given, reference) => {
    expect(referenceOf(urn(name), given)).toEqual(reference);
  },
);
