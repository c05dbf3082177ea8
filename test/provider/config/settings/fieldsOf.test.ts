import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../../../provider/config/machineConfig";
import { replacedSettings } from "../../../../provider/config/rules/replacedSettings";
import { memberField } from "../../../../provider/config/schema/configSchema";
import { talosSchemas, widestSchema } from "../../../../provider/config/schema/talosSchemas";
import { fieldsOf, fieldsOfDocuments } from "../../../../provider/config/settings/fieldsOf";
import { formsOfKinds } from "../../../../provider/config/settings/formsOfKinds";
import { pathOf, valueAt } from "../../../../provider/config/settings/keyPaths";
import { fieldOf } from "../../../../provider/config/settings/locate";
import { namedKinds } from "../../../../provider/config/settings/namedKinds";
import {
  placeOf,
  settingIn,
  textIn,
  valueIn,
} from "../../../../provider/config/settings/settingIn";
import { settingPlaces } from "../../../../provider/config/settings/settingPlaces";
import { documentForm } from "./documentForm";
import { sampleSettings as settings } from "./sampleSettings";

const documents = documentForm(settings);

/** The paths of all values, lists and empty mappings. */
function pathsIn(value: YamlValue, path: readonly string[] = []): (readonly string[])[] {
  return isMapping(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...path, key]))
    : [path];
}

/** Settings that stay where they are, and items of lists, which have no place of their own. */
const WITHOUT_DOCUMENT = ["machine.type", "cluster.extraManifests"];

describe("a configuration in documents", () => {
  it.each(pathsIn(settings).map((path) => ({ field: path.join("."), path })))(
    "has the value of $field, in a document",
    ({ field, path }) => {
      expect(valueAt(fieldsOf(documents), path)).toEqual(valueAt(settings, path));
      const [id = ""] = placeOf(documents, path);
      expect(/^[A-Z]/.test(id)).toBe(!WITHOUT_DOCUMENT.includes(field));
      expect(placeOf(settings, path)).toEqual(path);
    },
  );

  it("says where each setting stands, as in its outline", () => {
    const placeIn = (field: string) => settingIn(documents, field).place.join(".");
    expect(placeIn("machine.install.image")).toBe("UnattendedInstallConfig.installer.image");
    expect(placeIn("machine.kubelet.extraConfig.maxPods")).toBe("KubeletConfig.config.maxPods");
    expect(placeIn("machine.kubelet.nodeIP.validSubnets")).toBe(
      "KubeNodeConfig.nodeIP.validSubnets",
    );
    expect(placeIn("cluster.controlPlane.localAPIServerPort")).toBe("KubeAPIServerConfig.apiPort");
    expect(placeIn("cluster.coreDNS.disabled")).toBe("KubeCoreDNSConfig.enabled");
    expect(placeIn("cluster.inlineManifests.one.contents")).toBe(
      "KubeInlineManifestConfig/one.manifest",
    );
    expect(placeIn("cluster.apiServer.extraVolumes")).toBe("KubeAPIServerConfig.extraVolumes");
    expect(placeIn("cluster.etcd.image")).toBe("cluster.etcd.image");
  });

  it("has no more in an outline with marks than in the documents themselves", () => {
    const [certificate, key] = ["CERTIFICATE", "PRIVATE KEY"].map(
      (kind) => `-----BEGIN ${kind}-----\nQQ==\n-----END ${kind}-----\n`,
    );
    const fields = fieldsOfDocuments([
      { version: "v1alpha1", machine: { type: "worker" }, cluster: {} },
      { apiVersion: "v1alpha1", kind: "KubeAPIServerCAConfig", acceptedCAs: [certificate ?? ""] },
      {
        apiVersion: "v1alpha1",
        kind: "KubeServiceAccountConfig",
        issuer: { privateKey: key ?? "", issuerURL: "https://10.0.0.1:6443" },
      },
    ]);
    expect(fields.cluster).toEqual({
      ca: { crt: base64(certificate), key: "" },
      serviceAccount: { key: base64(key) },
    });
  });
});

describe("a setting in both forms", () => {
  const kubelet = { kubelet: { image: "old", clusterDNS: ["10.0.0.10"] } };

  it("counts in the document alone, also where that leaves it out", () => {
    const outline = { machine: kubelet, KubeletConfig: { image: "new" } };
    expect(textIn(outline, "machine.kubelet.image")).toBe("new");
    expect(valueIn(outline, "machine.kubelet.clusterDNS")).toBeUndefined();
  });

  it("counts in the field for the identity", () => {
    const document = { clusterID: "other", clusterSecret: "else" };
    const outline = { cluster: { id: "one" }, DiscoveryIdentityConfig: document };
    expect(textIn(outline, "cluster.id")).toBe("one");
    expect(textIn(outline, "cluster.secret")).toBeUndefined();
    expect(settingIn(outline, "cluster.id").place).toEqual(["cluster", "id"]);
  });

  it("counts in both places for a machine's parameters, and the document's value first", () => {
    const outline = {
      machine: { sysctls: { a: "1", b: "1" } },
      SysctlConfig: { params: { b: "2", c: "2" } },
    };
    expect(valueIn(outline, "machine.sysctls")).toEqual({ a: "1", b: "2", c: "2" });
  });

  it("counts in the document of the resolver only while that turns it on", () => {
    const machine = { features: { hostDNS: { enabled: true, forwardKubeDNSToHost: true } } };
    const off = { machine, ResolverConfig: { hostDNS: { enabled: false } } };
    expect(valueIn(off, "machine.features.hostDNS.forwardKubeDNSToHost")).toBe(true);
    const on = { machine, ResolverConfig: { hostDNS: { enabled: true } } };
    expect(valueIn(on, "machine.features.hostDNS.forwardKubeDNSToHost")).toBeUndefined();
  });

  it("counts in a service's field while that turns it on", () => {
    const document = { "DiscoveryServiceConfig/own": { endpoint: "https://own.example.com/" } };
    const endpoint = "cluster.discovery.registries.service.endpoint";
    const off = { cluster: { discovery: { enabled: false } }, ...document };
    expect(textIn(off, endpoint)).toBe("https://own.example.com/");
    const on = { cluster: { discovery: { enabled: true } }, ...document };
    expect(textIn(on, endpoint)).toBeUndefined();
  });
});

describe("a pod network of URLs", () => {
  const url = "https://example.com/network.yaml";
  const external = { "KubeExternalManifestConfig/custom-cni": { url } };

  it("is no further manifest where the documents have no other network", () => {
    const outline = { KubeNetworkConfig: {}, ...external };
    expect(valueIn(outline, "cluster.network.cni")).toEqual({ name: "custom", urls: [url] });
    expect(valueIn(outline, "cluster.extraManifests")).toBeUndefined();
  });

  it("is a manifest like others beside flannel, or a network in fields", () => {
    for (const other of [
      { KubeNetworkConfig: {}, KubeFlannelCNIConfig: {} },
      { cluster: { network: { cni: { name: "flannel" } } } },
    ]) {
      const outline: ConfigDocument = { ...other, ...external };
      expect(textIn(outline, "cluster.network.cni.name")).toBe("flannel");
      expect(valueIn(outline, "cluster.extraManifests")).toEqual([url]);
    }
  });
});

describe("the tables", () => {
  const kinds = [settingPlaces, formsOfKinds, namedKinds].flatMap((table) =>
    table.map(({ kind }) => kind),
  );

  it("know a place for each field that Talos refuses beside a document", () => {
    const rows = replacedSettings.filter(({ kind }) => !ELSEWHERE.includes(kind));
    const lost = rows.filter(({ kind, path }) => {
      const own = fieldsOfKind(kind).map(pathOf);
      return !own.some((field) => starts(field, path) || starts(path, field));
    });
    expect(lost.map(({ kind, path }) => `${kind}: ${path.join(".")}`)).toEqual([]);
    expect(rows.length).toBeGreaterThan(30);
  });

  it("know where each member of their documents belongs", () => {
    const lost = settingPlaces.flatMap(({ kind, section, members = {} }) => {
      const shape = widestSchema.document(kind)?.shape;
      const known = Object.keys(members).map((member) => pathOf(member)[0]);
      const own = shape?.kind === "struct" ? [...shape.fields.keys()] : [];
      return own
        .filter((member) => !["apiVersion", "kind"].includes(member))
        .filter((member) => section === undefined && !known.includes(member))
        .map((member) => `${kind}.${member}`);
    });
    expect(lost.toSorted()).toEqual(WITHOUT_FIELD.toSorted());
  });

  it("have a row for each kind that is newer than v1.13, but those that nothing had before", () => {
    const former = new Set(talosSchemas.get(13)?.documents.keys());
    const newer = [...widestSchema.documents.keys()].filter((kind) => !former.has(kind));
    const without = newer.filter((kind) => !kinds.includes(kind));
    expect(without.toSorted()).toEqual(NEW_SETTINGS.toSorted());
  });

  it("name only kinds and fields that Talos has", () => {
    expect(kinds.filter((kind) => !widestSchema.documents.has(kind))).toEqual([]);
    const fields = settingPlaces.flatMap(({ members = {}, section = [], presence = [] }) => [
      ...Object.values(members).map(fieldOf),
      ...[section, presence].flat(),
    ]);
    expect(fields.filter((field) => !isKnown(pathOf(field)))).toEqual([]);
  });
});

/** Kinds whose field is about something else, or has a reader of its own. */
const ELSEWHERE: readonly string[] = ["KubeAuthorizerConfig", "ResolverConfig", "HostnameConfig"];

/** Members that no field has had. */
const WITHOUT_FIELD: readonly string[] = [
  "UnattendedInstallConfig.reboot",
  "HostnameConfig.auto",
  "TimeSyncConfig.ptp",
  "ResolverConfig.nameservers",
  "ResolverConfig.searchDomains",
  "KubeServiceAccountConfig.accepted",
];

/** Kinds of v1.14 for what no field has said, or said in the same way. */
const NEW_SETTINGS: readonly string[] = [
  "BGPInstanceConfig",
  "CRICustomizationConfig",
  "ContainerConfig",
  "EtcFileConfig",
  "FilesystemScrubConfig",
  "FilesystemTrimConfig",
  "HTTPProbeConfig",
  "VethConfig",
  "KubeAuthenticationConfig",
  "LVMLogicalVolumeConfig",
  "LVMVolumeGroupConfig",
  "RAIDArrayConfig",
  "SecurityProfileConfig",
  "DiscoveryServiceConfig",
];

function fieldsOfKind(kind: string): readonly string[] {
  return [
    ...settingPlaces.flatMap((place) =>
      place.kind === kind
        ? [Object.values(place.members ?? {}).map(fieldOf), place.section ?? []].flat()
        : [],
    ),
    ...formsOfKinds.flatMap((form) => (form.kind === kind ? form.fields : [])),
    ...namedKinds.flatMap((named) => (named.kind === kind ? named.field : [])),
    ...(kind === "DiscoveryServiceConfig" ? ["cluster.discovery"] : []),
  ];
}

function starts(path: readonly (string | number)[], start: readonly (string | number)[]): boolean {
  return start.every((key, index) => path[index] === key);
}

function isKnown(path: readonly string[]): boolean {
  const start = widestSchema.document("");
  return path.reduce((field, key) => memberField(field, key), start) !== undefined;
}

function base64(text = ""): string {
  return Buffer.from(text).toString("base64");
}
