import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { parse } from "yaml";
import type { KnownSettings } from "../../../components/addOns/common/addOn";
import type { AddOnScope } from "../../../components/addOns/common/addOnScope";
import type { FluxAddOn } from "../../../components/addOns/flux/fluxAddOn";
import { fluxObjects } from "../../../components/addOns/flux/fluxObjects";
import { planOwnManifests } from "../../../components/addOns/planOwnManifests";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { standardCluster } from "../cluster/standardCluster";
import { checkedAddOns } from "./checkedAddOns";

const scope: AddOnScope = {
  clusterName: "prod",
  region: "eu-central-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.prod.example.com",
};

const body = (cipher: string) => Buffer.from(`openssh-key-v1\0${cipher}`).toString("base64");
const keyFile = (cipher: string) =>
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${body(cipher)}\n-----END OPENSSH PRIVATE KEY-----\n`;
const privateKey = keyFile("\0\0\0\x04none\0\0\0\x04none");
const knownHosts = "github.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5\n";
const ageKey = `AGE-SECRET-KEY-1${"QP".repeat(29)}`;
const ssh = "ssh://git@github.com/example/fleet";
const https = "https://github.com/example/fleet";
const path = "clusters/production";

function problems(flux: FluxAddOn, change: Partial<TalosClusterArgs> = {}): string[] {
  return checkedAddOns({ ...standardCluster, ...change, addOns: { flux } });
}

const everything: KnownSettings<FluxAddOn> & FluxAddOn = {
  url: ssh,
  path,
  semver: ">=1.2.0 <2.0.0 || 3.x",
  interval: "1m30s",
  prune: false,
  key: { privateKey, knownHosts },
  decryption: { ageKey },
};

/** The definitions of source-controller and kustomize-controller v1.10.1, without descriptions. */
const definitions = JSON.parse(
  readFileSync(join(__dirname, "testdata/fluxDefinitions.json"), "utf8"),
) as Readonly<Record<string, { readonly apiVersion: string; readonly spec: object }>>;

const ajv = new Ajv2020({ strict: false, allErrors: true });

function problemsOfDefinitions(addOn: KnownSettings<FluxAddOn>): unknown[] {
  const judged = fluxObjects(scope, addOn).filter(({ kind }) => kind !== "Secret");
  expect(judged.map(({ kind }) => kind)).toEqual(["GitRepository", "Kustomization"]);
  return judged.flatMap(({ apiVersion, kind, spec }) => {
    const definition = definitions[kind];
    expect(apiVersion).toBe(definition?.apiVersion);
    const isValid = ajv.compile(definition?.spec ?? false);
    return isValid(spec) ? [] : (isValid.errors ?? []);
  });
}

describe("what Flux follows", () => {
  it.each<[string, KnownSettings<FluxAddOn>]>([
    ["by default", { url: https, path }],
    ["with everything", everything],
    ["with a branch", { url: https, path: "./", branch: "release/1" }],
    ["with a tag and a token", { url: https, path: ".", tag: "v1", key: { password: "x" } }],
  ])("is what its definitions take, %s", (_, addOn) => {
    expect(problemsOfDefinitions(addOn)).toEqual([]);
  });

  it("is refused by the same definitions if it is wrong", () => {
    const key = { privateKey, knownHosts };
    expect(problemsOfDefinitions({ url: "git@github.com:a/b", path, key })).not.toEqual([]);
    expect(problemsOfDefinitions({ url: https, path, interval: "1 m" })).not.toEqual([]);
  });

  it("stays in the cluster without the add-on, and waits for no controller", () => {
    const objects = fluxObjects(scope, everything);
    expect(objects.at(-1)?.spec).toMatchObject({ deletionPolicy: "Orphan", prune: false });
    expect(fluxObjects(scope, { url: https, path }).at(-1)?.spec).toMatchObject({ prune: true });
    const marked = objects.filter(
      ({ metadata }) => metadata.annotations?.["pulumi-talos-aws/drop-finalizers"] === "true",
    );
    expect(marked.map(({ kind }) => kind)).toEqual(["GitRepository", "Kustomization"]);
  });

  it("has its keys in Secrets, as Flux reads them", () => {
    const dataOf = (addOn: KnownSettings<FluxAddOn>) =>
      fluxObjects(scope, addOn)
        .filter(({ kind }) => kind === "Secret")
        .map(({ metadata, data }) => [
          metadata.name,
          Object.fromEntries(
            Object.entries(data as Record<string, string>).map(([name, value]) => [
              name,
              Buffer.from(value, "base64").toString(),
            ]),
          ),
        ]);
    expect(dataOf(everything)).toEqual([
      ["cluster-key", { identity: privateKey, known_hosts: knownHosts }],
      ["cluster-decryption", { "cluster.agekey": ageKey }],
    ]);
    expect(dataOf({ url: https, path, key: { password: "token-1" } })).toEqual([
      ["cluster-key", { username: "git", password: "token-1" }],
    ]);
    expect(dataOf({ url: https, path })).toEqual([]);
  });

  it("comes after the bootstrap only, whoever gives the manifest", () => {
    for (const flux of [
      { url: https, path },
      { url: https, path, manifest: "kind: List" },
    ]) {
      expect(planOwnManifests(scope, { flux })).toEqual([]);
      const late = planOwnManifests(scope, { flux }, {}, "objectsAfterBootstrap");
      const kinds = late.flatMap(({ contents }) =>
        contents.split("---\n").map((text) => (parse(text) as { kind: string }).kind),
      );
      expect(kinds).toEqual(["GitRepository", "Kustomization"]);
    }
  });

  it("fails with a secret that turns out to be none, without showing it", () => {
    const key = { privateKey: "hunter2", knownHosts };
    expect(() => fluxObjects(scope, { url: ssh, path, key })).toThrow(
      /^addOns\.flux\.key\.privateKey: this is no private key: (?!.*hunter2)/,
    );
  });
});

describe("Flux' arguments", () => {
  it("are accepted", () => {
    expect(problems({ url: https, path })).toEqual([]);
    expect(problems(everything)).toEqual([]);
    expect(problems({ url: https, path, manifest: "kind: List" })).toEqual([]);
    expect(problems({ url: https, path, version: "v2.5.1", key: { password: "x" } })).toEqual([]);
    const port = "[git.example.com]:2222 ssh-ed25519 AAAA";
    const url = "ssh://git@git.example.com:2222/fleet.git";
    expect(problems({ url, path, key: { privateKey, knownHosts: port } })).toEqual([]);
    const hashed = "|1|salt=|hash= ssh-ed25519 AAAA";
    expect(problems({ url, path, key: { privateKey, knownHosts: hashed } })).toEqual([]);
    for (const semver of ["1.x", "~1.2", "^1.2.3-rc.1", "1.2 - 1.4", ">=1, <2", "*"]) {
      expect(problems({ url: https, path, semver })).toEqual([]);
    }
  });

  it("are refused with all problems at once", () => {
    expect(
      problems({
        url: "git@github.com:example/fleet.git",
        path: "/clusters",
        version: "v2.4.0",
        branch: "refs/heads/main",
        tag: "a..b",
        semver: "newest",
        interval: "0s",
        key: { privateKey },
        decryption: { ageKey: "age1hunter2" },
      }),
    ).toEqual([
      `addOns.flux.version: "v2.4.0" can't leave objects in the cluster: give v2.5.0 or later, below v3`,
      expect.stringMatching(
        /^addOns\.flux\.url: .* write "ssh:\/\/git@github\.com\/example\/fleet\.git"$/,
      ),
      expect.stringMatching(/^addOns\.flux\.path: "\/clusters" leads out of the repository/),
      "addOns.flux.tag: it excludes branch: leave out one or the other",
      "addOns.flux.semver: it excludes branch: leave out one or the other",
      'addOns.flux.branch: "refs/heads/main" is a whole reference: write "main"',
      'addOns.flux.tag: "a..b" is no name that Git takes',
      expect.stringMatching(/^addOns\.flux\.semver: "newest" is no range of versions/),
      expect.stringMatching(/^addOns\.flux\.interval: "0s" is no duration/),
      expect.stringMatching(/^addOns\.flux\.key\.knownHosts: a URL with ssh:\/\/ needs it/),
      expect.stringMatching(
        /^addOns\.flux\.decryption\.ageKey: this is no age private key(?!.*hunter2)/,
      ),
    ]);
  });

  it("need a password for HTTPS, if they have a key", () => {
    expect(problems({ url: https, path, key: { privateKey, knownHosts } })).toEqual([
      expect.stringMatching(/^addOns\.flux\.key\.privateKey: only a URL with ssh/),
      expect.stringMatching(/^addOns\.flux\.key\.knownHosts: only a URL with ssh/),
      expect.stringMatching(/^addOns\.flux\.key\.password: a URL with https:\/\/ needs it/),
    ]);
  });

  it("need a key and known hosts for SSH", () => {
    expect(problems({ url: ssh, path })).toEqual([
      expect.stringMatching(/^addOns\.flux\.key\.privateKey: a URL with ssh:\/\/ needs it/),
      expect.stringMatching(/^addOns\.flux\.key\.knownHosts: a URL with ssh:\/\/ needs it/),
    ]);
    const locked = keyFile("\0\0\0\x0aaes256-ctr\0\0\0\x06bcrypt");
    const key = { privateKey: locked, knownHosts: "gitlab.com ssh-rsa AAAA", password: "hunter2" };
    expect(problems({ url: ssh, path, key })).toEqual([
      expect.stringMatching(/^addOns\.flux\.key\.password: SSH has no use for it(?!.*hunter2)/),
      expect.stringMatching(/^addOns\.flux\.key\.privateKey: this key has a passphrase/),
      expect.stringMatching(/^addOns\.flux\.key\.knownHosts: it has no key of "github\.com"/),
    ]);
    const unnamed = { privateKey, knownHosts: "ssh-ed25519 AAAA" };
    expect(problems({ url: ssh, path, key: unnamed })).toEqual([
      expect.stringMatching(/^addOns\.flux\.key\.knownHosts: this has a line that names no host/),
    ]);
  });

  it.each([
    "https://me:hunter2@github.com/example/fleet",
    "https://hunter2@github.com/example/fleet",
    "https://github.com/example/fleet?token=hunter2",
    "http://me:hunter2@github.com/example/fleet",
    "hunter2:hunter2@github.com:example/fleet",
    "ssh://git:hunter2@github.com/example/fleet",
  ])("refuse a URL with a secret without showing it: %s", (url) => {
    const told = problems({ url, path, key: { privateKey, knownHosts } });
    expect(told).toContainEqual(expect.stringMatching(/^addOns\.flux\.url: /));
    expect(told.join()).not.toContain("hunter2");
  });

  it.each(["http://github.com/a/b", "https://github.com", "file:///repo", "github.com/a/b", ""])(
    "refuse a URL of no repository: %j",
    (url) => {
      expect(problems({ url, path })).toContainEqual(
        expect.stringMatching(/^addOns\.flux\.url: .*ssh:\/\/git@github\.com\/example\/fleet/),
      );
    },
  );

  it.each(["", "/", "../other", "./a/../../b"])(
    "refuse a path out of the repository: %j",
    (bad) => {
      expect(problems({ url: https, path: bad })).toEqual([
        expect.stringMatching(/^addOns\.flux\.path: /),
      ]);
    },
  );

  it("say that a manifest of the user's decides the release", () => {
    const given = { url: https, path, manifest: "kind: List", version: "v2.10.0" };
    expect(problems(given)).toEqual([
      expect.stringMatching(/^addOns\.flux\.version: it excludes manifest/),
    ]);
  });
});
