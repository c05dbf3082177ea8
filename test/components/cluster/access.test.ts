import * as pulumi from "@pulumi/pulumi";
import { parse, parseAllDocuments } from "yaml";
import type { ClusterAccessArgs } from "../../../components/access/accessArgs";
import { planAccessPatches } from "../../../components/access/planAccessPatches";
import { planAuthentication } from "../../../components/access/planAuthentication";
import { planGroupRoles } from "../../../components/access/planGroupRoles";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { planCluster } from "../../../components/cluster/plan/planCluster";
import { plannedSettingsOf } from "../../../components/cluster/planned/plannedSettings";
import { parseConfig } from "../../../emulator/talos/config/loadConfig";
import {
  authenticatorsIn,
  issuerOf,
} from "../../../emulator/talos/kubernetes/structuredAuthentication";
import type { InlineManifest, Patch } from "../../../provider";
import { outlineDocuments } from "../../../provider/config/effects/outline";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches } from "../../../provider/config/patches/patch";
import { componentFileProblems } from "../../../provider/config/rules/componentFileRules";
import { talosSchema } from "../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../provider/config/validate";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { machineProblems } from "../../../provider/resources/machineProblems";
import { machineConfigurationInputs } from "../../provider/resources/samples";
import { valueOf } from "../mockedGraph";
import { make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

const ROLE = "arn:aws:iam::123456789012:role/Dev";
const ENDPOINT = "https://k8s.sandbox.example.com:6443";
const AWS = "https://a1faa616-d595-447d-bdfd-64b774ab199c.tokens.sts.global.api.aws";
const aws = { issuerUrl: AWS, roles: { [ROLE]: ["deployers"] } };
const oidc = {
  issuerUrl: "https://login.example.com",
  audiences: ["a", "b"],
  groupsClaim: "groups",
  requiredClaims: { tenant: "example" },
};
const v112 = {
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
};
const v114 = {
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
};
type Releases = typeof v114;

const made = async (
  access: ClusterAccessArgs | undefined,
  change: Partial<TalosClusterArgs> = {},
) => {
  const { graph, value } = await make({ ...change, ...(access && { access }) });
  const { inputs } = graph.named(talos("MachineConfiguration"), "c-control-plane");
  return {
    graph,
    value,
    patches: (inputs.patches ?? []) as readonly ConfigDocument[],
    manifests: (inputs.inlineManifests ?? []) as readonly InlineManifest[],
    kubeconfig: await valueOf(value.accessKubeconfig),
  };
};

/** What a preview says of a patch of control planes. */
async function refusals(releases: Releases, access: ClusterAccessArgs, patch: Patch) {
  const { talosVersion } = releases;
  const documents = generateMachineConfig({
    ...(await machineConfigurationInputs()),
    ...releases,
    endpoint: ENDPOINT,
    machineType: "controlplane",
    installerImage: `a.example/installer:${talosVersion}`,
  });
  const { patches } = await made(access, releases);
  const after = applyPatches(applyPatches(documents, patches), [patch]);
  const args = chooseAddOns({ ...standardCluster, ...releases, access });
  const plan = plannedSettingsOf({
    args: planCluster(args, () => pulumi.output("")),
    role: "controlplane",
    clusterName: pulumi.output("c"),
    endpoint: pulumi.output(ENDPOINT),
  });
  const planned = Object.entries(await valueOf(plan)).filter(([path]) =>
    /oidc|uthentication/.test(path),
  );
  const { apiServer, authentication } =
    parseConfig(encodeDocuments(after)).facts?.controlPlane ?? {};
  return {
    // Whose tokens simulated machines accept.
    issuers: authenticatorsIn(authentication).map(issuerOf),
    // What ends API servers of simulated machines.
    faults: [apiServer?.fileFault, apiServer?.refusedFile],
    problems: [
      ...validateDocuments(after, { schema: talosSchema(talosVersion) }),
      ...componentFileProblems(after, 14),
    ],
    changed: machineProblems(
      {
        documents,
        patches: [...patches, patch],
        outline: outlineDocuments(after),
        options: { schema: talosSchema(talosVersion), marked: [] },
      },
      {},
      { plannedSettings: Object.fromEntries(planned), platform: "aws", talosVersion },
    ).map(({ reason }) => reason),
  };
}

describe("how people log in", () => {
  it("is by client certificates alone, unless a program says otherwise", async () => {
    const { graph, manifests, patches, kubeconfig } = await made(undefined);
    expect([manifests, patches, kubeconfig]).toEqual([[], [], undefined]);
    const { plannedSettings } = graph.named(
      talos("MachineConfiguration"),
      "c-control-plane",
    ).inputs;
    expect(JSON.stringify(plannedSettings)).not.toContain("oidc");
  });

  it("is a document from contract v1.14 on, beside who may ask without credentials", async () => {
    const { patches } = await made({ oidc: [oidc], aws }, v114);
    expect(patches).toEqual([
      {
        apiVersion: "v1alpha1",
        kind: "KubeAuthenticationConfig",
        configuration: {
          anonymous: {
            enabled: true,
            conditions: [{ path: "/livez" }, { path: "/readyz" }, { path: "/healthz" }],
          },
          jwt: planAuthentication({ oidc: [oidc], aws }, ENDPOINT),
        },
      },
    ]);
    const former = await made({ aws }, { ...v114, contractDefaults: "v1.12" });
    expect(former.patches).toMatchObject([{ configuration: { anonymous: { enabled: false } } }]);
  });

  it("is a file before, which only says what is no secret", async () => {
    const { patches } = await made({ aws });
    const [{ machine, cluster } = {}] = patches as readonly Record<string, never>[];
    expect(cluster).toEqual({
      apiServer: {
        extraArgs: {
          "authentication-config": "/var/etc/talos-aws-authentication/authentication.yaml",
        },
        extraVolumes: [
          {
            hostPath: "/var/etc/talos-aws-authentication",
            mountPath: "/var/etc/talos-aws-authentication",
            readonly: true,
          },
        ],
      },
    });
    const [file] = (machine as unknown as { files: Record<string, string>[] }).files;
    expect(file).toMatchObject({ op: "create", permissions: 0o644 });
    expect(parse(file?.content ?? "")).toEqual({
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthenticationConfiguration",
      jwt: planAuthentication({ oidc: [], aws }, ENDPOINT),
    });
  });

  it("lets in the roles that are named, with their groups", () => {
    const [authenticator] = planAuthentication(
      { oidc: [], aws: { ...aws, roles: { ...aws.roles, "arn:aws:iam::1:user/a": ["x", 'y"'] } } },
      ENDPOINT,
    );
    expect(authenticator).toMatchObject({
      issuer: { url: AWS, audiences: [ENDPOINT] },
      claimValidationRules: [{ expression: `claims.sub in ["${ROLE}", "arn:aws:iam::1:user/a"]` }],
      claimMappings: {
        username: { claim: "sub", prefix: "aws:" },
        groups: {
          expression: `{"${ROLE}": ["deployers"], "arn:aws:iam::1:user/a": ["x", "y\\""]}[?claims.sub].orValue([])`,
        },
      },
    });
  });

  it.each<[string, Releases]>([
    ["v1.12", v112],
    ["v1.14", v114],
  ])("may not be changed by a patch, with contract %s", async (_contract, change) => {
    const access = { oidc: [oidc], aws };
    const fine = await refusals(change, access, {
      machine: { sysctls: { "vm.overcommit_memory": "1" } },
    });
    const ours = [oidc.issuerUrl, AWS];
    expect(fine).toEqual({
      issuers: ours,
      faults: [undefined, undefined],
      problems: [],
      changed: [],
    });
    const flag = {
      cluster: { apiServer: { extraArgs: { "authentication-config": "/var/mine" } } },
    };
    const oidcFlag = {
      cluster: { apiServer: { extraArgs: { oidc_issuer_url: "https://a.example" } } },
    };
    const issuers = (...urls: string[]) => ({
      apiVersion: "v1alpha1",
      kind: "KubeAuthenticationConfig",
      configuration: {
        jwt: urls.map((url) => ({
          issuer: { url, audiences: ["a"] },
          claimMappings: { username: { claim: "sub", prefix: "" } },
        })),
      },
    });
    const patches: readonly Patch[] =
      change === v114
        ? [
            issuers(),
            issuers("https://a.example"),
            issuers(oidc.issuerUrl, AWS, "https://a.example"),
          ]
        : [flag, oidcFlag];
    for (const patch of patches) {
      const { changed } = await refusals(change, access, patch);
      expect(changed.join()).toContain("use the argument access");
    }
  });

  it("stands beside no file of the user's with authenticators, and is not replaced by one", async () => {
    const file = (path: string, content: string) => ({
      machine: { files: [{ path, content, permissions: 0o644, op: "create" }] },
      cluster: {
        apiServer: {
          extraArgs: { "authentication-config": path },
          extraVolumes: [{ hostPath: "/var/people", mountPath: "/var/people" }],
        },
      },
    });
    const none =
      "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt: []\n";
    const beside = await refusals(v112, { aws }, file("/var/people/a.yaml", none));
    expect(beside.changed).toEqual([
      expect.stringMatching(
        /authentication-config: .*"\/var\/people\/a\.yaml".* use the argument access/,
      ),
    ]);
    const instead = await refusals(
      v112,
      { aws },
      file("/var/etc/talos-aws-authentication/authentication.yaml", none),
    );
    expect(instead.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(/^machine\.files\[1\]\.path: .* put yours elsewhere$/),
    ]);
    const change = { op: "replace", path: "/machine/files/0/content", value: none } as const;
    // With more documents than one, Talos takes no JSON patch.
    const v111 = { ...v112, versionContract: "v1.11" };
    const rewritten = await refusals(v111, { aws }, [change]);
    expect(rewritten.changed).toEqual([
      expect.stringMatching(
        /^machine\.files\.\/var\/etc\/talos-aws-authentication\/.*use the argument access/,
      ),
    ]);
    const gone = await refusals(v111, { aws }, [{ op: "remove", path: "/machine/files/0" }]);
    expect(gone.changed).toEqual([expect.stringMatching(/^machine\.files\..*would be missing/)]);
    // Groups of certificates need no issuer.
    const groups = { deployers: { clusterRole: "edit" } };
    const alone = await refusals(v112, { groups }, file("/var/people/a.yaml", none));
    expect(alone).toEqual({
      issuers: [],
      faults: [undefined, undefined],
      problems: [],
      changed: [],
    });
  });

  it("gives everybody one kubeconfig, without any key", async () => {
    const { kubeconfig, value } = await made({ oidc: [oidc], aws });
    expect(await pulumi.isSecret(value.accessKubeconfig)).toBe(false);
    expect(parse(kubeconfig ?? "")).toMatchObject({
      clusters: [{ name: "c", cluster: { server: ENDPOINT } }],
      "current-context": "login@c",
      users: [
        {
          name: "login@c",
          user: {
            exec: {
              apiVersion: "client.authentication.k8s.io/v1",
              command: "talos-aws",
              args: ["token", "--audience", ENDPOINT, "--region", "us-east-1"],
            },
          },
        },
      ],
    });
    expect(kubeconfig).not.toMatch(/client-key|PRIVATE/);
    const other = await made({ oidc: [oidc] });
    expect(parse(other.kubeconfig ?? "")).toMatchObject({
      users: [
        {
          user: {
            exec: {
              command: "kubectl",
              args: [
                "oidc-login",
                "get-token",
                "--oidc-issuer-url=https://login.example.com",
                "--oidc-client-id=a",
              ],
            },
          },
        },
      ],
    });
  });

  it("trusts both Kubernetes CAs in that kubeconfig while one replaces the other", async () => {
    const trusted = async (stage: "accept" | "drop") => {
      const rotation = { kubernetesCa: { to: 2, stage } };
      const { kubeconfig } = await made({ aws }, { rotation });
      const { clusters } = parse(kubeconfig ?? "") as {
        clusters: { cluster: Record<string, string> }[];
      };
      const data = clusters[0]?.cluster["certificate-authority-data"] ?? "";
      return Buffer.from(data, "base64")
        .toString()
        .match(/BEGIN CERTIFICATE/g)?.length;
    };
    expect(await trusted("accept")).toBe(2);
    expect(await trusted("drop")).toBe(1);
  });

  it("binds groups to roles, everywhere or in namespaces that are then there", async () => {
    const groups = {
      deployers: { clusterRole: "edit", namespaces: ["apps", "default"] },
      "oidc:/team_a": { clusterRole: "view" },
    };
    const { manifests } = await made({ groups });
    expect(manifests).toEqual([planGroupRoles({ groups })]);
    const objects = parseAllDocuments(manifests[0]?.contents ?? "").map(
      (document) => document.toJS() as Record<string, Record<string, unknown>>,
    );
    expect(
      objects.map(({ kind, metadata }) => [kind, metadata?.namespace, metadata?.name]),
    ).toEqual([
      ["Namespace", undefined, "apps"],
      ["RoleBinding", "apps", "access:deployers:edit"],
      ["RoleBinding", "default", "access:deployers:edit"],
      ["ClusterRoleBinding", undefined, "access:oidc:_2fteam_5fa:view"],
    ]);
    expect(objects[1]).toMatchObject({
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "deployers" }],
    });
  });
});

it("writes the file's text in one way, whatever is in it", () => {
  const [patch] = planAccessPatches([{ issuer: { url: "https://a.example" } }], "v1.13", {});
  expect(JSON.stringify(patch)).toContain("jwt:\\n  - issuer:\\n      url: https://a.example\\n");
});
