import type { AddOnManifest, ClusterAddOnsArgs, ExternalDnsAddOn } from "../components";
import { logGroupSettings } from "./networkSchema";
import {
  choice,
  flag,
  group,
  list,
  type SettingSchema,
  switched,
  text,
  textsByKey,
  whole,
} from "./settingSchema";

/** An add-on whose manifest, if it is given, is known text. */
type Known<AddOn> = AddOn extends AddOnManifest
  ? Omit<AddOn, "manifest" | "zoneIds"> & {
      readonly manifest?: string;
    } & (AddOn extends ExternalDnsAddOn ? { readonly zoneIds: readonly string[] } : unknown)
  : AddOn;

/** Settings of a cluster's add-ons: the same as `ClusterAddOnsArgs`. */
export type AddOnsSettings = {
  readonly [Name in keyof ClusterAddOnsArgs]: Known<ClusterAddOnsArgs[Name]>;
};

const manifestUrls = list(
  `a list of URLs, as in ["https://example.com/v1.0.0/manifest.yaml"]`,
  text(`a URL, as in "https://example.com/v1.0.0/manifest.yaml"`),
);
const manifest = { manifestUrls, manifest: text("a manifest, as `helm template` writes it") };
const MANIFEST_TITLE = `an object, as in {manifestUrls: ["https://example.com/v1.0.0/manifest.yaml"]}`;
const quantities = textsByKey("memory: 200Mi");
const pods: Readonly<Record<string, SettingSchema>> = {
  version: text(`a release, as in "v1.0.0"`),
  images: textsByKey("fluent-bit: registry.example.com/fluent-bit:5.1.1"),
  resources: group("an object, as in {requests: {memory: 200Mi}}", {
    requests: quantities,
    limits: quantities,
  }),
  extraArgs: {
    title: "an object of flags, as in {log-level: debug}",
    type: "object",
    additionalProperties: {
      title: "a text, or a list of texts: write numbers and flags in quotes",
      type: ["string", "array"],
      items: text("a text"),
    },
  },
  tolerations: list(
    "a list of tolerations, as in [{operator: Exists}]",
    group("an object, as in {operator: Exists}", {
      key: text("the key of a taint"),
      operator: choice(["Exists", "Equal"]),
      value: text("the value of a taint"),
      effect: choice(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
      tolerationSeconds: whole("a number of seconds"),
    }),
  ),
};
const replicated = { ...pods, replicas: whole("a number of pods, as in 2") };

/** The shape of `addOns` in an environment's settings. */
export const addOnsSchema = group("an object, as in {metricsServer: true}", {
  cloudController: switched("version: v1.35.2", { ...manifest, ...pods }),
  ebsCsi: switched("replicas: 1", {
    ...manifest,
    ...replicated,
    hostNetwork: flag,
    kmsKeyArns: list(
      `a list of ARNs, as in ["arn:aws:kms:us-east-1:123456789012:key/0123abcd"]`,
      text("the ARN of a key"),
    ),
    storageClass: flag,
  }),
  clusterAutoscaler: switched("replicas: 2", { ...manifest, ...replicated }),
  loadBalancerController: switched("replicas: 1", { ...manifest, ...replicated }),
  nodeTerminationHandler: switched("version: v1.25.6", { ...manifest, ...pods }),
  externalDns: group(
    "an object, as in {zoneIds: [Z0123456789ABCDEFGHIJ]}",
    {
      ...manifest,
      ...pods,
      zoneIds: list(
        "a list of ids of hosted zones, as in [Z0123456789ABCDEFGHIJ]",
        text(`the id of a hosted zone, as in "Z0123456789ABCDEFGHIJ"`),
      ),
      policy: choice(["upsert-only", "sync"]),
      sources: list("a list, as in [service, ingress]", choice(["service", "ingress"])),
    },
    ["zoneIds"],
  ),
  servingCertificateApprover: switched("version: v0.12.0", { manifestUrls, ...replicated }),
  metricsServer: switched("version: v0.8.1", { manifestUrls, ...replicated }),
  auditLog: switched("retentionDays: 365", {
    ...manifest,
    ...pods,
    ...logGroupSettings,
    logGroupName: text(`the name of a log group, as in "/talos/prod/audit"`),
    adopt: flag,
  }),
  cilium: group(MANIFEST_TITLE, { ...manifest, kubeProxyReplacement: flag }),
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

/** The shape of `irsa` in an environment's settings. */
export const irsaSchema = switched("webhook: {replicas: 1}", {
  bucketName: text(`the name of a bucket, as in "prod-example-com-oidc"`),
  publicKeys: list("a list of public keys", text("a public key, PEM")),
  webhook: switched("replicas: 1", replicated),
});
