import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly secret?: boolean;
  readonly default?: unknown;
  readonly deprecationMessage?: string;
}

interface Resource {
  readonly description?: string;
  readonly isComponent?: boolean;
  readonly properties: Readonly<Record<string, Property>>;
  readonly inputProperties: Readonly<Record<string, Property>>;
  readonly methods?: Readonly<Record<string, string>>;
}

interface Schema {
  readonly resources: Readonly<Record<string, Resource>>;
  readonly functions: Readonly<Record<string, FunctionOfPackage>>;
  readonly types: Readonly<Record<string, NamedType>>;
}

interface FunctionOfPackage extends Property {
  readonly inputs?: NamedType;
  readonly outputs?: NamedType;
}

interface NamedType extends Property {
  readonly enum?: readonly { readonly value: string }[];
  readonly properties?: Readonly<Record<string, Property>>;
}

const checkedIn = readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8");
const { resources, functions, types } = JSON.parse(checkedIn) as Schema;
const resource = (name: string): Resource | undefined => resources[`talos-aws:index:${name}`];

describe("plugin/schema.json", () => {
  it("describes everything that a program can name", () => {
    const ofResources = Object.entries(resources).flatMap(([token, each]) => [
      [token, each] as const,
      ...Object.entries({ ...each.properties, ...each.inputProperties }).map(
        ([name, property]) => [`${token}.${name}`, property] as const,
      ),
    ]);
    const ofTypes = Object.entries(types).flatMap(([token, each]) => [
      [token, each] as const,
      ...Object.entries(each.properties ?? {}).map(
        ([name, property]) => [`${token}.${name}`, property] as const,
      ),
    ]);
    const all = [...ofResources, ...Object.entries(functions), ...ofTypes];
    const silent = all.filter(([, { description = "" }]) => description === "");
    // Talos' own schema says nothing of these.
    const exceptions = ["allowedRoles", "allowedKubernetesNamespaces"].map(
      (name) => `talos-aws:index:MachineFeaturesKubernetesTalosApiAccess.${name}`,
    );
    expect(silent.map(([name]) => name)).toEqual(exceptions);
  });

  it("marks secrets of resources and components", () => {
    expect(resource("MachineSecrets")?.properties.secretsBundle?.secret).toBe(true);
    expect(resource("ConfigurationApply")?.inputProperties.credentials?.secret).toBe(true);
    expect(resource("TalosCluster")?.properties.kubeconfig?.secret).toBe(true);
    expect(resource("TalosCluster")?.properties.endpoint?.secret).toBeUndefined();
  });

  it("marks everything that carries keys or client certificates", () => {
    const isKeys = (property: Property) =>
      /"[^"]*:(CertificateAndKey|ClientCredentials|SecretsBundle)"/.test(JSON.stringify(property));
    const isNamedSo = (name: string, { type }: Property) =>
      type === "string" &&
      /^(credentials|key|passphrase|kubeconfig|talosconfig|machineConfiguration|secretsBundle|importedSecrets)$|token$|encryptionsecret$/i.test(
        name,
      );
    const everything = [
      ...Object.entries(resources).flatMap(([token, each]) => [
        [token, each.properties] as const,
        [token, each.inputProperties] as const,
      ]),
      ...Object.entries(types).map(([token, each]) => [token, each.properties ?? {}] as const),
      ...Object.entries(functions).flatMap(([token, { inputs, outputs }]) => [
        [token, inputs?.properties ?? {}] as const,
        [token, outputs?.properties ?? {}] as const,
      ]),
    ].flatMap(([token, properties]) =>
      Object.entries(properties).map(([name, property]) => ({ token, name, property })),
    );
    const carrying = everything.filter(
      ({ name, property }) => isKeys(property) || isNamedSo(name, property),
    );
    expect(carrying.length).toBeGreaterThan(40);
    const open = carrying.filter(({ property }) => property.secret !== true);
    // The key of a taint or a label is a name, and that of a disk a place in its bucket.
    expect(open.map(({ token, name }) => `${token}.${name}`)).toEqual([
      "talos-aws:index:SchematicImage.key",
      "talos-aws:index:KarpenterRequirement.key",
      "talos-aws:index:PodToleration.key",
    ]);
  });

  it("has the defaults of programs in TypeScript", () => {
    const { timeoutSeconds, mode } = resource("ConfigurationApply")?.inputProperties ?? {};
    expect(timeoutSeconds?.default).toBe(600);
    expect(mode?.default).toBe("auto");
  });

  it("lists the values of an enumeration", () => {
    const { enum: values = [] } = types["talos-aws:index:HealthGate"] ?? {};
    expect(values).toContainEqual({ value: "etcd" });
  });

  it("has the components, and the methods of a cluster", () => {
    expect(resource("TalosCluster")).toMatchObject({
      isComponent: true,
      methods: {
        createKubeconfig: "talos-aws:index:TalosCluster/createKubeconfig",
        getKubeconfig: "talos-aws:index:TalosCluster/getKubeconfig",
      },
    });
  });
});
