import type { AddOnManifest, ClusterAddOnsArgs } from "../components";
import { flag, group, list, type SettingSchema, text, whole } from "./settingSchema";

/** An add-on's manifest, in text that is known. */
type Known<AddOn extends AddOnManifest> = Omit<AddOn, "manifest"> & { readonly manifest?: string };

/** Settings of what a cluster runs besides Kubernetes: what `ClusterAddOnsArgs` takes. */
export type AddOnsSettings = Omit<ClusterAddOnsArgs, "cloudController" | "ebsCsi" | "cilium"> & {
  readonly cloudController?: Known<AddOnManifest>;
  readonly ebsCsi?: Known<NonNullable<ClusterAddOnsArgs["ebsCsi"]>>;
  readonly cilium?: Known<NonNullable<ClusterAddOnsArgs["cilium"]>>;
};

const manifestUrls = list(
  `a list of URLs, as in ["https://example.com/v1.0.0/manifest.yaml"]`,
  text(`a URL, as in "https://example.com/v1.0.0/manifest.yaml"`),
);
const manifest = { manifestUrls, manifest: text("a manifest, as `helm template` writes it") };
const manifestTitle = `an object, as in {manifestUrls: ["https://example.com/v1.0.0/manifest.yaml"]}`;
const pinned: SettingSchema = {
  title: "true, false, or an object, as in {version: v0.8.1}",
  type: ["boolean", "object"],
  properties: { version: text(`a release, as in "v0.8.1"`), manifestUrls },
  additionalProperties: false,
};

/** The shape of `addOns` in an environment's settings. */
export const addOnsSchema = group("an object, as in {metricsServer: true}", {
  cloudController: group(manifestTitle, manifest),
  ebsCsi: group(manifestTitle, {
    ...manifest,
    hostNetwork: flag,
    kmsKeyArns: list(
      `a list of ARNs, as in ["arn:aws:kms:us-east-1:123456789012:key/0123abcd"]`,
      text("the ARN of a key"),
    ),
  }),
  servingCertificateApprover: pinned,
  metricsServer: pinned,
  cilium: group(manifestTitle, { ...manifest, kubeProxyReplacement: flag }),
  etcdBackup: group(
    "an object, as in {agePublicKey: none}",
    {
      agePublicKey: text(`an age public key, as in "age1…", or "none"`),
      schedule: text(`a schedule, as in "0 */6 * * *"`),
      bucketName: text(`the name of a bucket, as in "prod-example-com-etcd"`),
      kmsKeyArn: text(`the ARN of a key, as in "arn:aws:kms:us-east-1:123456789012:key/0123abcd"`),
      retentionDays: whole("a number of days, as in 30"),
      adopt: flag,
      image: text(`an image, as in "ghcr.io/siderolabs/talos-backup:v0.1.0-beta.3"`),
    },
    ["agePublicKey"],
  ),
});
