import { parse } from "yaml";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { planIssuerPatches } from "../../../components/cluster/makers/makeIdentity";
import { checkIrsa } from "../../../components/cluster/plan/clusterIrsa";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { ServiceAccountRole } from "../../../components/identity/serviceAccountRole";
import { parseConfig } from "../../../emulator/talos/config/loadConfig";
import type { InlineManifest, Patch, Rotation } from "../../../provider";
import { applyPatches } from "../../../provider/config/patches/patch";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { fromBase64 } from "../../../provider/pki/pem";
import { rotatedMachine, twoGenerations } from "../../provider/pki/rotation/rotatedMachines";
import { build, type Graph, valueOf } from "../mockedGraph";
import { make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

const ROLE = "aws:iam/role:Role";
const POLICY = "aws:iam/rolePolicy:RolePolicy";
const OBJECT = "aws:s3/bucketObjectv2:BucketObjectv2";
const URL = "https://sandbox-example-com-oidc.s3.us-east-1.amazonaws.com";
const ENDPOINT = "https://api.example.com:6443";
const addOns = {
  cloudController: true,
  ebsCsi: true,
  clusterAutoscaler: true,
  loadBalancerController: true,
  externalDns: { zoneIds: ["Z1"] },
  auditLog: true,
};

const problems = (change: Partial<TalosClusterArgs>) =>
  checkIrsa(chooseAddOns({ ...standardCluster, ...change })).map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
const configurationOf = (graph: Graph) =>
  graph.named(talos("MachineConfiguration"), "c-control-plane");
const manifestsOf = (graph: Graph) =>
  (configurationOf(graph).inputs.inlineManifests ?? []) as readonly InlineManifest[];
const policyOf = (graph: Graph, name: string) =>
  JSON.parse(String(graph.named(POLICY, name).inputs.policy)) as {
    readonly Statement: readonly { readonly Sid: string }[];
  };

describe("roles of service accounts", () => {
  it("change nothing by default", async () => {
    const { graph, value } = await make({
      addOns: { cloudController: { manifest: "kind: List" } },
    });
    expect(graph.identities().join()).not.toMatch(/oidc|BucketObject/);
    expect(configurationOf(graph).inputs).not.toHaveProperty("patches");
    expect(await valueOf(value.issuerUrl)).toBeUndefined();
    expect(() => value.createServiceAccountRole({ namespace: "apps", name: "web" })).toThrow(
      /irsa: AWS doesn't know the cluster's service accounts: set irsa/,
    );
  });

  it("publish the cluster's public key for AWS, and no secret", async () => {
    const { graph, value } = await make({ irsa: true });
    expect(await valueOf(value.issuerUrl)).toBe(URL);
    const documents = Object.fromEntries(
      graph.ofType(OBJECT).map(({ inputs }) => [String(inputs.key), String(inputs.content)]),
    );
    const { "openid/v1/jwks": keys = "", ".well-known/openid-configuration": discovery = "" } =
      documents;
    expect(JSON.parse(discovery)).toMatchObject({ issuer: URL, jwks_uri: `${URL}/openid/v1/jwks` });
    expect(JSON.parse(keys)).toMatchObject({ keys: [{ use: "sig", kty: "EC" }] });
    expect(keys).not.toContain('"d"');
    expect(graph.ofType(OBJECT).flatMap(({ secretInputs }) => secretInputs)).toEqual([]);
    const provider = graph.named("aws:iam/openIdConnectProvider:OpenIdConnectProvider", "c-oidc");
    expect(provider.inputs).toMatchObject({ url: URL, clientIdLists: ["sts.amazonaws.com"] });
    const before = graph.before(provider).map(({ type }) => type);
    expect(before).toEqual(expect.arrayContaining([OBJECT, "aws:s3/bucketPolicy:BucketPolicy"]));
  });

  it("publish both keys as long as API servers accept both", async () => {
    const keysIn = async (stage?: "accept" | "issue" | "drop") => {
      const rotation = stage && { serviceAccountKey: { to: 2, stage } };
      const { graph } = await make({ irsa: true, ...(rotation && { rotation }) });
      const { content } = graph.named(OBJECT, "c-oidc-keys").inputs;
      const { keys } = JSON.parse(String(content)) as { keys: { kid: string }[] };
      return keys.map(({ kid }) => kid);
    };
    const [first, ...none] = await keysIn();
    expect(none).toEqual([]);
    const accepted = await keysIn("accept");
    expect(new Set(accepted).size).toBe(2);
    expect(accepted).toContain(first);
    expect((await keysIn("issue")).sort()).toEqual([...accepted].sort());
    expect(await keysIn("drop")).toEqual(accepted.filter((kid) => kid !== first));
  });

  it("make API servers issue tokens of the new issuer, and accept those of the old one", async () => {
    const mine = { machine: { sysctls: { "vm.max_map_count": "262144" } } };
    const { graph } = await make({ irsa: true, patches: [mine] });
    const [first, ...others] = configurationOf(graph).inputs.patches as readonly Patch[];
    expect(first).toEqual({
      cluster: {
        apiServer: {
          extraArgs: {
            "service-account-issuer": URL,
            "service-account-jwks-uri": `${URL}/openid/v1/jwks`,
            service_account_issuer: "https://k8s.sandbox.example.com:6443",
          },
        },
      },
    });
    expect(others).toEqual([mine]);
  });

  it("set the issuer where a contract in documents has the flags", () => {
    const flags = { "service-account-issuer": URL, "service-account-jwks-uri": `${URL}/keys` };
    const extraArgs = { ...flags, service_account_issuer: ENDPOINT };
    expect(planIssuerPatches(URL, `${URL}/keys`, ENDPOINT, "v1.14")).toEqual([
      { apiVersion: "v1alpha1", kind: "KubeAPIServerConfig", extraArgs },
    ]);
  });

  it.each(["v1.13.9", "v1.14.1"])(
    "keep issuer and audience while Talos %s accepts two keys",
    async (talosVersion) => {
      const generations = await twoGenerations();
      const patches = planIssuerPatches(URL, `${URL}/openid/v1/jwks`, ENDPOINT, "v1.13");
      const accountsIn = (rotation: Rotation) => {
        const release = { talosVersion, kubernetesVersion: "1.35.0" };
        const documents = rotatedMachine(generations, rotation, "controlplane", release);
        const patched = parseConfig(encodeDocuments(applyPatches(documents, patches)));
        return patched.facts?.controlPlane.serviceAccounts;
      };
      const { issuers, audiences, keys } = accountsIn({}) ?? {};
      expect(issuers).toEqual([URL, ENDPOINT]);
      expect(audiences).toEqual([ENDPOINT]);
      for (const stage of ["accept", "issue"] as const) {
        const rotated = accountsIn({ serviceAccountKey: { to: 2, stage } });
        expect(rotated).toMatchObject({ issuers, audiences });
        expect(rotated?.keys.length).toBeGreaterThan(keys?.length ?? 0);
      }
    },
  );

  it("install the webhook, with a certificate that its configuration trusts", async () => {
    const { graph } = await make({ irsa: true });
    const manifests = manifestsOf(graph);
    expect(configurationOf(graph).secretInputs).toContain("inlineManifests");
    expect(manifests.map(({ name }) => name)).toEqual([
      "pod-identity-webhook-certificate",
      "pod-identity-webhook",
    ]);
    const [secret, webhook] = manifests.map(({ contents }) =>
      contents.split("---\n").map((text) => parse(text) as Record<string, never>),
    );
    const crt = (secret?.[0]?.data as unknown as Record<string, string>)["tls.crt"];
    expect(crt).toMatch(/^LS0t/);
    expect(JSON.stringify(webhook)).toContain(`"caBundle":"${crt}"`);
    const without = await make({ irsa: { webhook: false } });
    expect(configurationOf(without.graph).inputs).not.toHaveProperty("inlineManifests");
  });

  it("install a webhook whose next certificate is trusted before it has it, and whose former one no longer is", async () => {
    const certificates = async (stage?: "accept" | "issue" | "drop") => {
      const rotation = stage && { kubernetesCa: { to: 2, stage } };
      const { graph } = await make({ irsa: true, ...(rotation && { rotation }) });
      const [secret, webhook] = manifestsOf(graph).map(({ contents }) => contents);
      const own = /"?tls.crt"?: "?([\w+/=]+)/.exec(secret ?? "")?.[1] ?? "";
      const trusted = /"?caBundle"?: "?([\w+/=]+)/.exec(webhook ?? "")?.[1] ?? "";
      const pems = fromBase64(trusted).match(/-----BEGIN[^]*?-----END CERTIFICATE-----\n/g) ?? [];
      return { own: fromBase64(own), trusted: pems };
    };
    const before = await certificates();
    expect(before.trusted).toEqual([before.own]);
    const accept = await certificates("accept");
    const issue = await certificates("issue");
    const drop = await certificates("drop");
    expect(accept.own).toBe(before.own);
    expect(accept.trusted).toEqual([before.own, issue.own]);
    expect(issue.own).not.toBe(before.own);
    expect(issue.trusted).toEqual([issue.own, before.own]);
    expect(drop).toEqual({ own: issue.own, trusted: [issue.own] });
  });

  it("leave only the texts open that follow from a key or role that is not made yet", async () => {
    const previewed = async (isOpen: (type: string, name: string) => boolean) => {
      const mine = { name: "mine", contents: "kind: ConfigMap" };
      const args = {
        ...standardCluster,
        irsa: true,
        addOns,
        rotation: { kubernetesCa: { to: 2, stage: "accept" as const } },
        machineConfiguration: { inlineManifests: [mine] },
      };
      const { graph } = await build(() => new TalosCluster("c", args), {
        preview: true,
        recorded: ({ type, name }) => (isOpen(type, name) ? undefined : {}),
      });
      const manifests = manifestsOf(graph);
      expect(configurationOf(graph).secretInputs).toContain("inlineManifests");
      expect(manifests).toHaveLength(10);
      return manifests.flatMap(({ name, contents }) =>
        typeof contents === "string" ? [] : [name],
      );
    };
    expect(await previewed(() => false)).toEqual([]);
    expect(await previewed((type) => type.endsWith(":RotatedAuthority"))).toEqual([
      "aws-load-balancer-controller-certificate",
      "pod-identity-webhook-certificate",
      "pod-identity-webhook",
    ]);
    expect(await previewed((type, name) => type === ROLE && name === "c-ebs-csi")).toEqual([
      "aws-ebs-csi-driver",
    ]);
  });

  it("leave the control plane's role only the machines' permissions, once add-ons have their own", async () => {
    const shared = (await make({ addOns })).graph;
    expect(shared.ofType(ROLE).map(({ name }) => name)).toEqual(["c-control-plane-role"]);
    const sids = policyOf(shared, "c-control-plane-policy").Statement.map(({ Sid }) => Sid);
    expect(sids).toContain("BalancersMake");
    const { graph } = await make({
      addOns,
      irsa: true,
      controlPlane: {
        role: { path: "/talos/", permissionsBoundaryArn: "arn:aws:iam::123456789012:policy/b" },
      },
    });
    expect(policyOf(graph, "c-control-plane-policy").Statement.map(({ Sid }) => Sid)).toEqual([
      "DescribeMachines",
    ]);
    const accounts = {
      "c-cloud-controller": "cloud-controller-manager",
      "c-ebs-csi": "ebs-csi-controller-sa",
      "c-cluster-autoscaler": "cluster-autoscaler",
      "c-load-balancer-controller": "aws-load-balancer-controller",
      "c-external-dns": "external-dns",
    };
    for (const [name, account] of Object.entries(accounts)) {
      const { assumeRolePolicy, ...role } = graph.named(ROLE, name).inputs;
      expect(role).toMatchObject({
        path: "/talos/",
        permissionsBoundary: "arn:aws:iam::123456789012:policy/b",
      });
      expect(JSON.parse(String(assumeRolePolicy))).toMatchObject({
        Statement: [
          {
            Principal: { Federated: "arn:c-oidc" },
            Condition: {
              StringEquals: {
                [`${URL.slice(8)}:aud`]: "sts.amazonaws.com",
                [`${URL.slice(8)}:sub`]: `system:serviceaccount:kube-system:${account}`,
              },
            },
          },
        ],
      });
      expect(policyOf(graph, name).Statement.map(({ Sid }) => Sid)).not.toContain(
        "DescribeMachines",
      );
    }
    const contents = manifestsOf(graph).map((manifest) => manifest.contents);
    for (const name of Object.keys(accounts)) {
      expect(contents.filter((text) => text.includes(`value: arn:${name}\n`))).toHaveLength(1);
    }
  });

  it("need no machine role for add-ons that have their own", async () => {
    const { graph } = await make({
      irsa: true,
      addOns: { ebsCsi: true },
      controlPlane: { role: { none: true } },
    });
    expect(graph.ofType(ROLE).map(({ name }) => name)).toEqual(["c-ebs-csi"]);
  });

  it("are created for one service account, with its permissions, and output its annotation", async () => {
    const { graph, value } = await build(async () => {
      const cluster = new TalosCluster("c", { ...standardCluster, irsa: true });
      const role = cluster.createServiceAccountRole({
        namespace: "apps",
        name: "web",
        managedPolicyArns: { read: "arn:aws:iam::aws:policy/ReadOnlyAccess" },
        statements: [{ actions: ["s3:GetObject"], resources: ["arn:aws:s3:::mine/*"] }],
      });
      return valueOf(role.annotations);
    });
    expect(value).toEqual({ "eks.amazonaws.com/role-arn": "arn:c-apps-web" });
    expect(String(graph.named(ROLE, "c-apps-web").inputs.assumeRolePolicy)).toContain(
      "system:serviceaccount:apps:web",
    );
    expect(policyOf(graph, "c-apps-web-statements").Statement).toEqual([
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: ["arn:aws:s3:::mine/*"] },
    ]);
    expect(
      graph.named("aws:iam/rolePolicyAttachment:RolePolicyAttachment", "c-apps-web-read").inputs,
    ).toMatchObject({ policyArn: "arn:aws:iam::aws:policy/ReadOnlyAccess" });
  });

  it("are created only for names that Kubernetes has", () => {
    const of = { namespace: "my.apps", name: "Web" };
    const made = () => new ServiceAccountRole("r", { ...of, issuerUrl: "", providerArn: "" });
    expect(made).toThrow(
      /namespace: "my\.apps" is no name of a namespace in Kubernetes[^]*name: "Web" is no name of a service account/,
    );
  });

  it("are rejected with invalid arguments", () => {
    expect(problems({})).toEqual([]);
    expect(problems({ irsa: true })).toEqual([]);
    expect(problems({ irsa: { bucketName: "A.b" } })).toEqual([
      expect.stringMatching(/^irsa\.bucketName: "A\.b" is no name for a bucket/),
    ]);
    expect(problems({ irsa: true, domain: `${"a".repeat(60)}.example.com` })).toEqual([
      expect.stringMatching(/^irsa\.bucketName: .*made of environment and domain: give one$/),
    ]);
    expect(problems({ irsa: { publicKeys: ["-----BEGIN PRIVATE KEY-----"] } })).toEqual([
      expect.stringMatching(/^irsa\.publicKeys\[0\]: no public key/),
    ]);
    expect(problems({ irsa: { webhook: { replicas: 9 } } })).toEqual([
      expect.stringMatching(/^irsa\.webhook\.replicas: 9 pods have no place/),
    ]);
  });
});
