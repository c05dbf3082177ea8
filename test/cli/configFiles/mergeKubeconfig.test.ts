import fc from "fast-check";
import { parse, stringify } from "yaml";
import { mergeKubeconfig } from "../../../cli/configFiles/mergeKubeconfig";
import { removeKubeconfig } from "../../../cli/configFiles/removeKubeconfig";
import { kubeconfigText, renderKubeconfig } from "../../../provider/pki/renderKubeconfig";

function kubeconfigOf(clusterName: string, host: string, key = "a2V5"): string {
  return renderKubeconfig({
    clusterName,
    serverUrl: `https://${host}:6443`,
    authorityCertificate: "Y2E=",
    user: "admin",
    client: { crt: "Y3J0", key },
  });
}

/** With a namespace, as Talos writes it. */
const own = kubeconfigOf("prod", "k8s.prod.example.org").replace(
  "      user: admin@prod\n",
  "      user: admin@prod\n      namespace: default\n",
);

interface Kubeconfig {
  [field: string]: unknown;
  clusters: { name: string; cluster: Record<string, unknown> }[];
  contexts: { name: string; context: Record<string, unknown> }[];
  users: { name: string; user: Record<string, unknown> }[];
  "current-context"?: string;
}

const read = (text: string) => parse(text) as Kubeconfig;

/** What a kubeconfig means: lists that aren't there are empty, and so is a context that isn't. */
function meaning(text: string) {
  const config = (parse(text) ?? {}) as Partial<Kubeconfig>;
  return {
    apiVersion: "v1",
    kind: "Config",
    ...config,
    clusters: config.clusters ?? [],
    contexts: config.contexts ?? [],
    users: config.users ?? [],
    "current-context": config["current-context"] ?? "",
  };
}

/** Names of which some are those that ours would have, or must be quoted. */
const name = fc.oneof(
  fc.constantFrom("prod", "prod-1", "admin@prod", "admin@prod-1", "yes", "1e3", "null", "ö: x"),
  fc.string({ minLength: 1, maxLength: 8 }),
);
const server = fc.constantFrom("https://10.0.0.1:6443", "https://other.example.org", "", "0x1F");
const entries = <T>(of: (name: string) => fc.Arbitrary<T>) =>
  fc.uniqueArray(name, { maxLength: 4 }).chain((names) => fc.tuple(...names.map(of)));

const theirs = fc
  .record(
    {
      apiVersion: fc.constant("v1"),
      kind: fc.constant("Config"),
      preferences: fc.constant({}),
      clusters: fc.option(
        entries((each) => fc.record({ name: fc.constant(each), cluster: fc.record({ server }) })),
      ),
      contexts: fc.option(
        entries((each) =>
          fc.record({
            name: fc.constant(each),
            context: fc.record({ cluster: name, user: name, namespace: name }),
          }),
        ),
      ),
      users: fc.option(
        entries((each) =>
          fc.record({ name: fc.constant(each), user: fc.record({ token: fc.string() }) }),
        ),
      ),
      "current-context": name,
    },
    { requiredKeys: [] },
  )
  .chain((config) => fc.constantFrom(stringify(config), JSON.stringify(config, undefined, 1)));

describe("mergeKubeconfig", () => {
  it("creates a new file", () => {
    const { text, contextName, isCurrent } = mergeKubeconfig("", own);
    expect(read(text)).toEqual(read(own));
    expect([contextName, isCurrent]).toEqual(["admin@prod", true]);
  });

  it("keeps other clusters' entries, merges idempotently, and is removed again", () => {
    fc.assert(
      fc.property(theirs, fc.boolean(), (before, setCurrent) => {
        const merged = mergeKubeconfig(before, own, { setCurrent });
        const [was, is] = [meaning(before), meaning(merged.text)];
        for (const list of ["clusters", "contexts", "users"] as const) {
          expect(is[list]).toEqual(expect.arrayContaining(was[list] as unknown[]));
          expect(is[list]).toHaveLength(was[list].length + 1);
        }
        const had = was["current-context"];
        const wanted = setCurrent || had === "" ? merged.contextName : had;
        expect(is["current-context"]).toBe(wanted);
        expect(mergeKubeconfig(merged.text, own, { setCurrent })).toEqual({ ...merged });

        const removed = removeKubeconfig(merged.text, own);
        expect(removed.contextNames).toEqual([merged.contextName]);
        expect(removed.wasCurrent).toBe(wanted === merged.contextName);
        expect(meaning(removed.text)).toEqual({
          ...was,
          "current-context": removed.wasCurrent ? "" : had,
        });
      }),
      { numRuns: 150 },
    );
  });

  const file = `# the file of a person
apiVersion: v1
kind: Config
clusters:
- cluster:
    server: https://10.0.0.1:6443 # at home
  name: home
contexts:
# use this one with care
- context:
    cluster: home
    user: me
  name: home
current-context: home
users:
- name: me
  user:
    token: 0123
`;

  it("keeps text, comments and order, and removal restores the exact text", () => {
    const { text } = mergeKubeconfig(file, own);
    const lines = text.split("\n");
    expect(file.split("\n").filter((line) => !lines.includes(line))).toEqual([]);
    expect(removeKubeconfig(text, own).text).toBe(file);
  });

  it("keeps the indentation of indented lists", () => {
    const indented = stringify(read(file));
    expect(removeKubeconfig(mergeKubeconfig(indented, own).text, own).text).toBe(indented);
  });

  it("updates its own entries and keeps their additional fields", () => {
    const first = mergeKubeconfig(file, own, { setCurrent: true }).text;
    const edited = first
      .replace("    namespace: default\n", "    namespace: web # mine\n")
      .replace(/^ {4}server: https:..k8s.*$/m, "$&\n    insecure-skip-tls-verify: true");
    expect(edited.split("\n")).toHaveLength(first.split("\n").length + 1);
    const later = kubeconfigOf("prod", "k8s.prod.example.org", "bmV3");
    const { text } = mergeKubeconfig(edited, later);
    expect(text).toContain("namespace: web # mine");
    expect(text).not.toContain("insecure");
    const user = read(text).users.find((each) => each.name === "admin@prod")?.user;
    expect(user).toMatchObject({ "client-key-data": "bmV3" });
    expect(read(text)["current-context"]).toBe("admin@prod");
  });

  it("adds a number if another cluster has the name, and keeps that number", () => {
    const other = mergeKubeconfig("", kubeconfigOf("prod", "k8s.elsewhere.net")).text;
    const merged = mergeKubeconfig(other, own);
    expect(merged).toMatchObject({ contextName: "admin@prod-1", renamedFrom: "admin@prod" });
    expect(read(merged.text).clusters.map((each) => each.name)).toEqual(["prod", "prod-1"]);
    expect(read(merged.text).contexts[1]?.context).toEqual({
      cluster: "prod-1",
      user: "admin@prod-1",
      namespace: "default",
    });
    // Also when the name is free again.
    const alone = removeKubeconfig(merged.text, kubeconfigOf("prod", "k8s.elsewhere.net")).text;
    expect(mergeKubeconfig(alone, own).contextName).toBe("admin@prod-1");
  });

  it("identifies its server by the name in the server's certificate", () => {
    const dialled = own.replace(
      "server: https://k8s.prod.example.org:6443",
      "server: https://127.0.0.9:6443\n      tls-server-name: k8s.prod.example.org",
    );
    const { text, contextName } = mergeKubeconfig(mergeKubeconfig("", dialled).text, own);
    expect(contextName).toBe("admin@prod");
    expect(read(text).clusters).toEqual(read(own).clusters);
  });

  it("gives the context the requested name, unless another cluster has it", () => {
    expect(mergeKubeconfig(file, own, { contextName: "p" })).toMatchObject({
      contextName: "p",
      isCurrent: false,
    });
    expect(() => mergeKubeconfig(file, own, { contextName: "home" })).toThrow(
      'it has a context "home" of another cluster or user: choose another name with --context',
    );
    const text = mergeKubeconfig(file, own, { contextName: "p" }).text;
    expect(removeKubeconfig(text, own)).toMatchObject({ text: file, contextNames: ["p"] });
  });

  it("keeps the cluster if a user's own context refers to it", () => {
    const { text } = mergeKubeconfig(file, own);
    const more = text.replace(
      "contexts:\n",
      "contexts:\n- context:\n    cluster: prod\n    user: me\n  name: mine\n",
    );
    const left = read(removeKubeconfig(more, own).text);
    expect(left.contexts.map((each) => each.name)).toEqual(["mine", "home"]);
    expect(left.clusters.map((each) => each.name)).toEqual(["home", "prod"]);
    expect(left.users.map((each) => each.name)).toEqual(["me"]);
  });

  it("adds a user who logs in with a program, beside one with a key, and takes only that one out", () => {
    const exec = { command: "talos-aws", args: ["token", "--audience", "https://a:6443"] };
    const cluster = {
      serverUrl: "https://k8s.prod.example.org:6443",
      authorityCertificate: "Y2E=",
    };
    const login = kubeconfigText({ clusterName: "prod", ...cluster, user: "login" }, { exec });
    const { text } = mergeKubeconfig(mergeKubeconfig("", own).text, login, { setCurrent: true });
    expect(read(text)).toMatchObject({
      "current-context": "login@prod",
      clusters: [{ name: "prod" }],
      users: [{ name: "admin@prod" }, { name: "login@prod", user: { exec } }],
    });
    // A comment of a person's stays while the program is the same.
    const noted = text.replace("command: talos-aws\n", "command: talos-aws # mine\n");
    expect(noted).not.toBe(text);
    expect(mergeKubeconfig(noted, login).text).toBe(noted);
    const other = login.replace("https://a:6443", "https://b:6443");
    expect(mergeKubeconfig(noted, other).text).toContain("https://b:6443");
    const removed = removeKubeconfig(text, login);
    expect(removed.contextNames).toEqual(["login@prod"]);
    expect(read(removed.text).users.map(({ name }) => name)).toEqual(["admin@prod"]);
  });

  it("removal changes nothing in a file without the cluster", () => {
    const odd = "clusters:   [ ]\n";
    expect(removeKubeconfig(odd, own)).toEqual({ text: odd, contextNames: [], wasCurrent: false });
  });

  it.each([
    ["users:\n- name: a\n  user: {token: SECRET\n", /^it is not YAML: line \d+ \([A-Z_]+\)$/],
    ["a: 1\na: 2\n", /^it is not YAML: line 2 \(DUPLICATE_KEY\)$/],
    ["- a\n", /^it is not a YAML mapping$/],
    ["a: 1\n---\nb: 1\n", /^it contains several YAML documents/],
    ["clusters: {}\n", /^its "clusters" is not a list$/],
  ])("rejects %j without quoting it", (before, message) => {
    expect(() => mergeKubeconfig(before, own)).toThrow(message);
  });
});
