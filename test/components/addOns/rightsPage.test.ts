import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ADD_ON_NAMES, ADD_ONS, type AddOnName } from "../../../components/addOns/registry";
import type { NodePermissions } from "../../../components/permissions/nodePermissions";
import {
  type KnownPermissions,
  planPermissions,
} from "../../../components/permissions/planNodePolicy";
import { everything, objects } from "../../conformance/support/addOnVariants";

const page = readFileSync(join(__dirname, "../../../docs/guides/add-ons.md"), "utf8");
const [, section = ""] = page.split("\n## Costs and rights\n");
const rows = new Map(
  [...section.matchAll(/^\| `(\w+)` +\|(.+)\|$/gm)].map(([, name = "", cells = ""]) => [
    name,
    cells.split("|").map((cell) => cell.trim()),
  ]),
);
const inCode = (text: string) =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code).sort();

const scope = { region: "eu-central-1", clusterName: "lab" };
const cluster = { environment: "lab", domain: "example.com", recordName: "k8s.lab.example.com" };

/** The services that the statements of an add-on name. */
function services(name: AddOnName): string[] {
  const permissions = ADD_ONS[name].aws?.permissions as
    ((addOn: object, cluster: object) => NodePermissions) | undefined;
  const needed = permissions?.(everything[name] ?? {}, cluster) ?? {};
  const statements = planPermissions(scope, needed as KnownPermissions);
  const actions = statements
    .filter(({ Effect }) => Effect === "Allow")
    .flatMap(({ Action }) => Action);
  return [...new Set(actions.map((action) => action.split(":")[0] ?? ""))].sort();
}

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** What each add-on may do, and the page's introduction says. */
const OF_ALL = ["events", "leases", "tokenreviews", "subjectaccessreviews"];

/** The resources that an add-on's roles change. Kinds of its own are one. */
function changedResources(name: AddOnName): string[] {
  const { manifestName } = ADD_ONS[name];
  const rules = objects
    .filter(({ manifest, object }) => manifest === manifestName && object.kind.endsWith("Role"))
    .flatMap(({ object }) => (object as unknown as { readonly rules: readonly Rule[] }).rules)
    .filter(({ verbs }) => verbs.some((verb) => !["get", "list", "watch"].includes(verb)));
  const resources = rules.flatMap(({ apiGroups = [], resources = [] }) =>
    apiGroups.some((group) => /^(?:cilium\.io|karpenter\.|elbv2\.)/.test(group))
      ? ["own kinds"]
      : resources.map((each) => each.replace(/\/status$/, "")),
  );
  return [...new Set(resources)].filter((each) => !OF_ALL.includes(each)).sort();
}

describe("the page of add-ons", () => {
  it("has the costs and rights of each", () => {
    expect([...rows.keys()].sort()).toEqual([...ADD_ON_NAMES].sort());
    for (const cells of rows.values()) {
      expect(cells).toHaveLength(4);
      expect(cells).not.toContain("");
    }
  });

  it.each(ADD_ON_NAMES)("names the services of AWS that it may call: %s", (name) => {
    const [, called = ""] = rows.get(name) ?? [];
    expect(inCode(called)).toEqual(services(name));
  });

  // The objects of Flux are its project's, which bind it to all rights; those of backups have no role.
  it.each(ADD_ON_NAMES.filter((name) => name !== "flux"))(
    "names what it may change in Kubernetes: %s",
    (name) => {
      const [, , changed = ""] = rows.get(name) ?? [];
      const said = [...(changed.startsWith("own kinds") ? ["own kinds"] : []), ...inCode(changed)];
      expect(said.sort()).toEqual(changedResources(name));
    },
  );
});
