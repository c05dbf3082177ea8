import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { chooseAddOns } from "../../../components/cluster/addOns/chooseAddOns";
import { planCluster } from "../../../components/cluster/plan/planCluster";
import { plannedSettingsOf } from "../../../components/cluster/planned/plannedSettings";
import type { MachineType, PlannedSettings } from "../../../provider";
import { effectRow } from "../../../provider/config/effects/changeEffects";
import { changedPaths } from "../../../provider/config/effects/changedPaths";
import {
  type ConfigDocument,
  isMapping,
  type YamlValue,
} from "../../../provider/config/machineConfig";
import type { Patch } from "../../../provider/config/patches/patch";
import {
  type Field,
  memberField,
  type ScalarShape,
} from "../../../provider/config/schema/configSchema";
import { talosSchemas } from "../../../provider/config/schema/talosSchemas";
import { valueAt } from "../../../provider/config/secrets/quote";
import { machineConfigurationHandler as handler } from "../../../provider/resources/machineConfigurationHandler";
import { machineConfigurationInputs } from "../../provider/resources/samples";
import { valueOf } from "../mockedGraph";
import { besideOf, besideRows } from "./besideTable";
import { standardCluster } from "./standardCluster";

/** How many patches are tried: by `TALOS_RANDOM_PATCHES`, or as many as take a few seconds. */
const COUNT = Number(process.env.TALOS_RANDOM_PATCHES ?? 200);

const MINORS = [...talosSchemas.keys()].filter((minor) => minor >= 12);
const ROLES: readonly MachineType[] = ["controlplane", "worker"];

/** The key paths of a document's fields with their types, as far as a patch of a few keys goes. */
function fieldsOf(
  field: Field | undefined,
  path: readonly string[],
): readonly (readonly [readonly string[], Field])[] {
  if (field === undefined || path.length > 6) {
    return [];
  }
  const { shape } = field;
  return shape.kind === "struct"
    ? [...shape.fields].flatMap(([key, member]) => fieldsOf(member, [...path, key]))
    : shape.kind === "map"
      ? [[path, field], ...fieldsOf(shape.value, [...path, "a.example.com"])]
      : [[path, field]];
}

const WORDS = [
  "",
  "a",
  "1",
  "true",
  "10.0.0.1",
  "10.0.0.0/16",
  "fd00::1",
  "fd00::/64",
  "1GiB",
  "80%",
  "5m",
  "https://a.example.com",
  "a.example.com:443",
  "/var/a",
  "create",
  "overwrite",
  "none",
  "custom",
  "flannel",
  "!system_disk",
  "example.com/a",
  "NoSchedule",
  "luks2",
  "xfs",
  "v1",
  "registry.k8s.io/kube-apiserver:v1.35.0",
  "a b",
  "ä",
  "x".repeat(300),
  "stable",
  "off",
  "tcp://10.0.0.1:5140",
  "json_lines",
  "eth0",
  "STATE",
  "EPHEMERAL",
  "udp",
  "accept",
  "block",
];

/** Any value, mostly one of the field's type. */
function valuesOf(field: Field, depth = 0): fc.Arbitrary<YamlValue> {
  const { shape } = field;
  const others = fc.constantFrom<YamlValue>(null, "a", 7, true, [], {}, ["a"], { a: "b" });
  const right = (): fc.Arbitrary<YamlValue> => {
    switch (shape.kind) {
      case "scalar":
        return scalars(shape);
      case "list":
        return depth > 3
          ? fc.constant([])
          : fc.array(valuesOf(shape.item, depth + 1), { maxLength: 2 });
      case "map":
        return depth > 3
          ? fc.constant({})
          : fc.dictionary(fc.constantFrom(...WORDS.slice(1)), valuesOf(shape.value, depth + 1), {
              maxKeys: 2,
            });
      case "struct": {
        const names = [...shape.fields.keys()];
        return depth > 3 || names.length === 0
          ? fc.constant({})
          : fc
              .subarray(names, { maxLength: Math.min(3, names.length) })
              .chain((keys) =>
                fc.record(
                  Object.fromEntries(
                    keys.map((key) => [key, valuesOf(memberField(field, key) ?? field, depth + 1)]),
                  ),
                ),
              );
      }
      default:
        return others;
    }
  };
  return fc.oneof({ weight: 9, arbitrary: right() }, { weight: 1, arbitrary: others });
}

function scalars({ types }: ScalarShape): fc.Arbitrary<YamlValue> {
  return types.includes("boolean")
    ? fc.boolean()
    : types.includes("integer") || types.includes("number")
      ? fc.constantFrom<YamlValue>(0, 1, -1, 443, 6443, 70_000, 1.5, 2 ** 40)
      : fc.constantFrom<YamlValue>(...WORDS);
}

function isSaid(value: YamlValue | undefined): boolean {
  return isMapping(value)
    ? Object.values(value).some(isSaid)
    : value !== undefined && value !== null;
}

function nested(path: readonly string[], value: YamlValue): ConfigDocument {
  const [key = "", ...rest] = path;
  return { [key]: rest.length === 0 ? value : nested(rest, value) };
}

const places = new Map(
  MINORS.map((minor) => {
    const schema = talosSchemas.get(minor);
    const kinds = [...(schema?.documents.values() ?? [])];
    return [
      minor,
      kinds.map(({ kind, named }) => ({
        kind,
        named,
        fields: fieldsOf(schema?.document(kind), []).filter(([path]) => path.length > 0),
      })),
    ] as const;
  }),
);

/** A patch for one place of any document, in one of the forms that people write. */
function patchesOf(minor: number): fc.Arbitrary<Patch> {
  const kinds = places.get(minor) ?? [];
  const main = kinds.filter(({ kind }) => kind === "");
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(...main) },
      { weight: 2, arbitrary: fc.constantFrom(...kinds) },
    )
    .chain(({ kind, named, fields }) => {
      const head =
        kind === "" ? {} : { apiVersion: "v1alpha1", kind, ...(named && { name: "EPHEMERAL" }) };
      const fitting = fc
        .constantFrom(...fields)
        .chain(([path, field]) =>
          fc
            .oneof(
              { weight: 8, arbitrary: valuesOf(field) },
              { weight: 1, arbitrary: fc.constant<YamlValue>({ $patch: "delete" }) },
            )
            .map((value): Patch => ({ ...head, ...nested(path, value) })),
        );
      const byPath = fc
        .constantFrom(...fields)
        .chain(([path, field]) =>
          fc
            .tuple(fc.constantFrom("add", "remove", "replace"), valuesOf(field))
            .map(([op, value]): Patch => [{ op, path: `/${path.join("/")}`, value }] as Patch),
        );
      return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: byPath });
    });
}

const cases = fc.constantFrom(...MINORS).chain((minor) =>
  fc.record({
    minor: fc.constant(minor),
    contract: fc.constantFrom(11, Math.min(minor, 13)),
    machineType: fc.constantFrom(...ROLES),
    patches: fc.array(patchesOf(minor), { minLength: 1, maxLength: 2 }),
    isOfMachine: fc.constantFrom(false, false, false, true),
  }),
);

let inputs: Awaited<ReturnType<typeof machineConfigurationInputs>>;
const planned = new Map<MachineType, PlannedSettings>();
const unpatched = new Map<string, ConfigDocument>();

beforeAll(async () => {
  inputs = await machineConfigurationInputs();
  for (const role of ROLES) {
    const settings = plannedSettingsOf({
      args: planCluster(chooseAddOns(standardCluster), () => pulumi.output("")),
      role,
      clusterName: pulumi.output(inputs.clusterName),
      endpoint: pulumi.output(inputs.endpoint),
    });
    planned.set(role, await valueOf(settings));
  }
});

async function outlineOf(given: typeof inputs, key: string): Promise<ConfigDocument> {
  const known = unpatched.get(key);
  if (known !== undefined) {
    return known;
  }
  const { inputs: made, failures } = await handler.check(undefined, given);
  expect(failures).toEqual([]);
  const outline = made.redactedConfiguration;
  unpatched.set(key, outline as ConfigDocument);
  return outline as ConfigDocument;
}

describe("what else in a cluster follows from a place of the configuration", () => {
  it.each(MINORS)("has an answer for every field of Talos v1.%i", (minor) => {
    const unknown = (places.get(minor) ?? []).flatMap(({ kind, fields }) =>
      fields
        .map(([path]) => (kind === "" ? path : [kind, ...path]))
        .filter((path) => besideOf(path) === undefined),
    );
    expect(unknown).toEqual([]);
  });

  it("is planned by for each setting of a cluster", () => {
    const paths = ROLES.flatMap((role) => Object.keys(planned.get(role) ?? {}));
    const answers = paths.map((path) => [path, besideOf(path.replace("/*", "").split("."))]);
    expect(answers.filter(([, answer]) => answer !== "planned")).toEqual([]);
  });

  it("names no place that no Talos has", () => {
    const all = MINORS.flatMap((minor) =>
      (places.get(minor) ?? []).flatMap(({ kind, fields }) =>
        fields.map(([path]) => (kind === "" ? path : [kind, ...path])),
      ),
    );
    const isThere = (keys: readonly string[]) =>
      all.some((path) =>
        keys.slice(0, path.length).every((key, index) => key === path[index] || key === "*"),
      );
    expect(besideRows.map(([path]) => path).filter((path) => !isThere(path.split(".")))).toEqual(
      [],
    );
  });
});

it(`each of ${COUNT} random patches is refused with its place, or has an answer for all that it changes`, async () => {
  const seen = { refused: 0, accepted: 0, places: new Set<string>() };
  await fc.assert(
    fc.asyncProperty(cases, async ({ minor, contract, machineType, patches, isOfMachine }) => {
      const given = {
        ...inputs,
        machineType: machineType as "controlplane",
        talosVersion: `v1.${minor}.1`,
        versionContract: `v1.${contract}`,
      };
      const before = await outlineOf(given, `${minor} ${contract} ${machineType}`);
      const plannedSettings = planned.get(machineType) ?? {};
      const result = await handler.check(undefined, {
        ...given,
        plannedSettings,
        ...(isOfMachine ? { machinePatches: { "1": patches } } : { patches }),
      });
      if (result.failures.length > 0) {
        seen.refused += 1;
        for (const { property, reason } of result.failures) {
          expect(property).toMatch(
            /^(?:patches|machinePatches\["1"\]|podCidrs|kubernetesVersion)$/,
          );
          expect(reason).toMatch(/^\S.*[:,] \S|can't|there is no|is not/s);
        }
        return;
      }
      seen.accepted += 1;
      const after = result.inputs.redactedConfiguration as ConfigDocument;
      const says = (path: readonly string[]) =>
        [before, after].some((outline) => isSaid(valueAt(outline, path)));
      // An empty section says nothing.
      for (const path of changedPaths(before, after).filter(says)) {
        seen.places.add(path.slice(0, 3).join("."));
        expect([path, effectRow(path)?.effect, besideOf(path)]).toEqual([
          path,
          expect.any(String),
          expect.any(String),
        ]);
      }
    }),
    { numRuns: COUNT },
  );
  console.log(
    `${COUNT} random patches: ${seen.refused} refused, ${seen.accepted} accepted, which changed ${seen.places.size} places`,
  );
}, 36_000_000);
