import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { deploymentFields, stackFields, wrongFields } from "./stackFields";

const example = join(__dirname, "../../../examples/fleet");
const command = join(example, "fleet.mjs");

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly subjects?: readonly unknown[];
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "talos-aws-fleet-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function fleet(args: readonly string[], file = join(example, "fleet.yaml")): string {
  const env = { ...process.env, FLEET: file };
  return execFileSync(process.execPath, [command, ...args], { encoding: "utf8", env });
}

function refusal(args: readonly string[], text: string): string {
  const file = join(folder, "fleet.yaml");
  writeFileSync(file, text);
  const options = { encoding: "utf8", env: { ...process.env, FLEET: file } } as const;
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], options);
  expect(status).toBe(1);
  return stderr;
}

function objectsIn(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}

it("makes a Stack for each cluster, with an identity of its own, of fields that there are", () => {
  const objects = objectsIn(fleet(["stacks"]));
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    "Namespace fleet",
    ...["staging", "production-eu", "production-us"].flatMap((name) => [
      `ServiceAccount ${name}`,
      `Stack ${name}`,
    ]),
    "ClusterRoleBinding fleet-auth-delegator",
  ]);
  const stacks = objects.filter(({ kind }) => kind === "Stack");
  for (const { apiVersion, metadata, spec } of stacks) {
    expect(apiVersion).toBe("pulumi.com/v1");
    expect(wrongFields(spec, stackFields)).toEqual([]);
    expect(spec).toMatchObject({
      stack: metadata.name,
      serviceAccountName: metadata.name,
      backend: "s3://pulumi-state-1a2b3c4?region=eu-central-1&awssdk=v2",
      useLocalStackOnly: true,
      destroyOnFinalize: false,
    });
    expect(JSON.stringify(spec)).toContain(`role/fleet-${metadata.name}`);
  }
  expect(stacks.map(({ spec }) => spec?.prerequisites)).toEqual([
    undefined,
    [{ name: "staging" }],
    [{ name: "staging" }],
  ]);
  expect(objects.at(-1)?.subjects).toHaveLength(3);
});

it("has a check that sees wrong fields", () => {
  const spec = { stacks: "a", shallow: "yes", prerequisites: [{ names: "b" }] };
  expect(wrongFields(spec, stackFields)).toEqual([
    ".stack: is missing",
    ".stacks: there is no such field",
    ".shallow: is string, not boolean",
    ".prerequisites[0].name: is missing",
    ".prerequisites[0].names: there is no such field",
  ]);
});

it("makes Stacks that only preview a branch, and wait for no other", () => {
  const previews = objectsIn(fleet(["previews", "change-7"]));
  expect(previews.map(({ metadata }) => metadata.name)).toEqual([
    "staging-preview",
    "production-eu-preview",
    "production-us-preview",
  ]);
  for (const { spec } of previews) {
    expect(wrongFields(spec, stackFields)).toEqual([]);
    expect(spec).toMatchObject({ preview: true, branch: "change-7", useLocalStackOnly: true });
    expect(spec).not.toHaveProperty("prerequisites");
  }
});

it("writes settings of Pulumi Deployments, of fields that Pulumi reads", () => {
  const written = fleet(["deployments", folder]).trim().split("\n");
  expect(written).toEqual(
    ["staging", "production-eu", "production-us"].map((name) =>
      join(folder, `Pulumi.${name}.deploy.yaml`),
    ),
  );
  for (const file of written) {
    expect(wrongFields(parse(readFileSync(file, "utf8")), deploymentFields)).toEqual([]);
  }
  expect(parse(readFileSync(written[1] ?? "", "utf8"))).toMatchObject({
    settings: {
      gitHub: { repository: "example/clusters", previewPullRequests: true },
      operationContext: {
        oidc: { aws: { roleArn: expect.stringMatching(/production-eu$/) as string } },
      },
    },
  });
});

it("clones a repository elsewhere by its URL, with a token where one is needed", () => {
  const file = join(folder, "fleet.yaml");
  const shipped = readFileSync(join(example, "fleet.yaml"), "utf8");
  const elsewhere = "https://git.example.com/clusters.git";
  const repository = `repository: ${elsewhere}\ngitSecret: git`;
  writeFileSync(file, shipped.replace(/^repository: .*$/m, repository));
  fleet(["deployments", folder], file);
  const settings: unknown = parse(readFileSync(join(folder, "Pulumi.staging.deploy.yaml"), "utf8"));
  expect(wrongFields(settings, deploymentFields)).toEqual([]);
  expect(settings).toMatchObject({
    settings: { sourceContext: { git: { repoUrl: elsewhere } } },
  });
  expect(settings).not.toHaveProperty("settings.gitHub");
  const [stack] = objectsIn(fleet(["stacks"], file)).filter(({ kind }) => kind === "Stack");
  expect(wrongFields(stack?.spec, stackFields)).toEqual([]);
  expect(stack?.spec?.gitAuth).toEqual({
    accessToken: { type: "Secret", secret: { name: "git", key: "token" } },
  });
});

it("lists the clusters for a preview of all", () => {
  expect(fleet(["names"])).toBe("staging production-eu production-us\n");
});

it("refuses all mistakes at once", () => {
  const text = `
repository: https://github.com/example/clusters.git
folder: environments
backend: s3://states
image: pulumi/pulumi:3.276.0-nonroot
namespace: fleet
clusters:
  Staging: { role: "arn:aws:iam::111122223333:role/a" }
  one: { role: someone, after: [two] }
  two: { role: "arn:aws:iam::111122223333:role/b", after: [one, three] }
`;
  expect(refusal(["stacks"], text)).toBe(
    [
      `${join(folder, "fleet.yaml")}:`,
      `- branch: is missing`,
      `- clusters: "Staging" has other characters than a-z, 0-9 and "-", or over 53 of them`,
      `- clusters.one.role: "someone" is not the ARN of an IAM role, arn:aws:iam::…:role/…`,
      `- clusters.one.after: it waits for itself`,
      `- clusters.two.after: there is no cluster "three"`,
      `- clusters.two.after: it waits for itself`,
      "",
    ].join("\n"),
  );
  expect(refusal(["stacks"], "")).toContain("- clusters: there is none");
  expect(refusal(["remove"], readFileSync(join(example, "fleet.yaml"), "utf8"))).toMatch(
    /^usage: /,
  );
  expect(readdirSync(folder)).toEqual(["fleet.yaml"]);
});
