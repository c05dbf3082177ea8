import { referenceOf } from "../../plugin/configuration";
import { pluginServer } from "../../provider/engine/usePlugin";

const urn = (name: string) => `urn:pulumi:prod::shop::pulumi:providers:talos-aws::${name}`;
const url = pluginServer();
const own = "github_/api.github.com/pulumi-talos-aws/pulumi-talos-aws";

it.each([
  // The engine adds the version that it has found.
  ["default", { version: "0.1.0" }, {}],
  ["default_0_1_0", { version: "0.1.0" }, { version: "0.1.0" }],
  // The engine passes the address in the name alone.
  [`default_0_1_0_${own}`, { version: "0.1.0" }, { version: "0.1.0", pluginDownloadURL: url }],
  [`default_${own}`, { version: "0.1.0" }, { pluginDownloadURL: url }],
  ["default_0_1_0_https_/mirror.example.com", { version: "0.1.0" }, { version: "0.1.0" }],
  ["production", { version: "0.1.0" }, { version: "0.1.0" }],
])(
  "children of components name what the provider %s was asked for by",
  (name, given, reference) => {
    expect(referenceOf(urn(name), given)).toEqual(reference);
  },
);
