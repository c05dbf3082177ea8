import { readFileSync } from "node:fs";
import { checkResource, nameProperty } from "../../../../emulator/aws/plugin/check";
import type { Property, PropertyTable } from "../../../../emulator/aws/plugin/propertyTable";
import type { ResourceKind } from "../../../../emulator/aws/plugin/resourceKind";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import { isObject, type Value, type Values } from "../../../../emulator/aws/plugin/value";
import {
  type Fact,
  type Facts,
  RECORDING,
  recordedFacts,
  recordingOfSchema,
} from "./providerFacts";

const types = recordedFacts();

/** Where what holds differs from the recorded schema, by reason. */
const DEVIATIONS: Readonly<Record<string, Readonly<Record<string, Partial<Fact>>>>> = {
  "Pulumi says it otherwise": {
    "Record.aliases": { type: "blocks" },
    "SecurityGroup.description": { default: "Managed by Pulumi" },
    "TargetGroup.deregistrationDelay": { type: "number", computed: true },
    "Zone.comment": { default: "Managed by Pulumi" },
  },
  "a plan modifier, which is no part of the schema, keeps it when it is left out": {
    "Instance.creditSpecification": { computed: true },
    "Instance.creditSpecification.cpuCredits": { computed: true },
    "LoadBalancer.accessLogs": { computed: true },
    "TargetGroup.healthCheck.protocol": { computed: true },
    "Vpc.instanceTenancy": { computed: true },
  },
  "the schema doesn't tell the validators of types in the newer framework": {
    "BucketLifecycleConfiguration.rules": { required: true },
  },
};

/** What the provider takes without, and the substitute doesn't: it serves fewer ways to say it. */
const REQUIRED_HERE = new Set([
  "Alias.name",
  "EventTarget.targetId",
  "FlowLog.logDestination",
  "FlowLog.trafficType",
  "FlowLog.vpcId",
  "Instance.ami",
  "Instance.instanceType",
  "LoadBalancer.subnets",
  "NatGateway.subnetId",
  "SnapshotImport.diskContainer.userBucket",
  "Subnet.cidrBlock",
  "TargetGroup.port",
  "TargetGroup.protocol",
  "Vpc.cidrBlock",
  "VpcEndpoint.serviceName",
]);

/** Rules that the schema doesn't mark: those of the newer framework, and those of a list's items. */
const RULED_BY_SOURCE = new Set([
  "OpenIdConnectProvider.clientIdLists",
  "OpenIdConnectProvider.thumbprintLists",
  "SecurityGroupEgressRule.cidrIpv4",
  "SecurityGroupEgressRule.cidrIpv6",
  "SecurityGroupIngressRule.cidrIpv4",
  "SecurityGroupIngressRule.cidrIpv6",
]);

/** Values of which the provider refuses some, whatever its rule is. */
const ODD = [
  "",
  "?",
  "sg-1",
  "-x",
  "alias/aws/x",
  "x--x-s3",
  "“",
  "x".repeat(20_000),
  -1,
  100_000_000,
];

const corrections = Object.assign({}, ...Object.values(DEVIATIONS)) as Record<
  string,
  Partial<Fact>
>;

function nameOf(kind: ResourceKind): string {
  return kind.type.split(":")[2] ?? "";
}

/** What holds of a property; undefined where nothing is known of it. */
function factOf(where: string, recorded: Fact | undefined): Fact | undefined {
  const correction = corrections[where];
  const corrected = correction === undefined ? recorded : { type: "", ...recorded, ...correction };
  if (corrected !== undefined && REQUIRED_HERE.has(where)) {
    return { ...corrected, required: true, computed: false };
  }
  return corrected;
}

function text(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

/** Where a table of the substitute says something else than the facts. */
function differences(
  where: string,
  table: PropertyTable,
  facts: Facts | undefined,
  named?: string,
): string[] {
  return Object.entries(table).flatMap(([name, property]) => {
    const here = `${where}.${name}`;
    const told = factOf(here, facts?.[name]);
    // Pulumi names what the program doesn't.
    const fact = told && name === named ? { ...told, required: false, computed: true } : told;
    if (fact === undefined || fact.output === true) {
      return [`${here}: the provider has no such input`];
    }
    const aspects = ["type", "required", "replaces", "computed", "unordered", "default"] as const;
    const wrong = aspects.filter(
      (aspect) => (property[aspect] ?? false) !== (fact[aspect] ?? false),
    );
    const isJudged = fact.validated === true || RULED_BY_SOURCE.has(here);
    return [
      ...wrong.map(
        (aspect) =>
          `${here}: ${aspect} is ${text(property[aspect])}, by the provider ${text(fact[aspect])}`,
      ),
      ...(isJudged === (property.rule === undefined)
        ? [`${here}: ${isJudged ? "the provider judges it, and there is no rule" : "has a rule"}`]
        : []),
      ...(property.fields === undefined ? [] : differences(here, property.fields, fact.fields)),
    ];
  });
}

/** Every fact of a kind by its path, as far as the substitute serves the property. */
function servedFacts(table: PropertyTable, facts: Facts, prefix = ""): [string, Fact][] {
  return Object.entries(facts).flatMap(([name, fact]) => {
    const property = table[name];
    return property === undefined
      ? []
      : [
          [`${prefix}${name}`, fact] as [string, Fact],
          ...(property.type === "block" && property.fields !== undefined
            ? servedFacts(property.fields, fact.fields ?? {}, `${prefix}${name}.`)
            : []),
        ];
  });
}

/** Every property of a table by its path. */
function allProperties(table: PropertyTable, prefix: string): [string, Property][] {
  return Object.entries(table).flatMap(([name, property]) => [
    [`${prefix}${name}`, property] as [string, Property],
    ...allProperties(property.fields ?? {}, `${prefix}${name}.`),
  ]);
}

/** Any value that the property takes, by its type. */
function sample(property: Property | undefined): Value {
  switch (property?.type) {
    case "number":
      return 1;
    case "boolean":
      return true;
    case "strings":
      return ["x"];
    case "map":
      return { x: "x" };
    case "block":
      return required(property.fields ?? {});
    case "blocks":
      return [required(property.fields ?? {})];
    default:
      return "x";
  }
}

function required(table: PropertyTable): Values {
  return Object.fromEntries(
    Object.entries(table)
      .filter(([, property]) => property.required === true)
      .map(([name, property]) => [name, sample(property)]),
  );
}

/** Inputs of the kind in which all of the paths are given, besides what is required. */
function withAll(kind: ResourceKind, paths: readonly string[]): Values {
  return paths.reduce(
    (inputs, path) => withPath(kind.inputs, inputs, path.split(".")),
    required(kind.inputs),
  );
}

function withPath(table: PropertyTable, values: Values, path: readonly string[]): Values {
  const [name = "", ...rest] = path;
  const before = values[name] ?? sample(table[name]);
  return {
    ...values,
    [name]:
      rest.length === 0 || !isObject(before)
        ? before
        : withPath(table[name]?.fields ?? {}, before, rest),
  };
}

/** Problems of the inputs that lie between properties. */
function reasons(kind: ResourceKind, inputs: Values): string[] {
  const context = { pulumiName: "test", randomSeed: new Uint8Array(32) };
  return checkResource(kind, {}, inputs, context)
    .failures.map(({ reason }) => reason)
    .filter((reason) => !reason.startsWith("expected "));
}

const kinds = [...resourceKinds.values()].map((kind): [string, ResourceKind] => [kind.type, kind]);

describe("the recording of the AWS provider's schema", () => {
  const made = recordingOfSchema();
  it.skipIf(made === undefined)("is that of ../shared, where there is one", () => {
    expect(readFileSync(RECORDING, "utf8")).toBe(made);
  });
});

describe("the substitute plugin's tables, compared with the AWS provider's schema", () => {
  it.each(kinds)("%s has the same properties", (type, kind) => {
    const named = kind.autoname === undefined ? undefined : nameProperty(kind);
    expect(differences(nameOf(kind), kind.inputs, types[type], named)).toEqual([]);
    const unknown = kind.outputs.filter((name) => {
      const fact = factOf(`${nameOf(kind)}.${name}`, types[type]?.[name]);
      return name !== "tagsAll" && fact?.output !== true && fact?.computed !== true;
    });
    expect(unknown).toEqual([]);
  });

  it.each(kinds)("%s rejects properties that exclude each other", (type, kind) => {
    const missed: string[] = [];
    const served = servedFacts(kind.inputs, types[type] ?? {});
    const isServed = (path: string) => served.some(([name]) => name === path);
    for (const [name, { conflictsWith, exactlyOneOf, requiredWith }] of served) {
      const others = [...(conflictsWith ?? []), ...(exactlyOneOf ?? [])];
      for (const other of others.filter((each) => each !== name && isServed(each))) {
        const given = [name, other].map((each) => each.split(".").pop() ?? "");
        const told = reasons(kind, withAll(kind, [name, other]));
        if (!told.some((reason) => given.every((each) => reason.includes(each)))) {
          missed.push(`${name} and ${other}`);
        }
      }
      const parts = name.split(".");
      const around = parts.slice(0, -1).join(".");
      const bare = withAll(kind, around === "" ? [] : [around]);
      const isGiven = REQUIRED_HERE.has(`${nameOf(kind)}.${name}`);
      if (exactlyOneOf !== undefined && !isGiven && reasons(kind, bare).length === 0) {
        missed.push(`none of ${exactlyOneOf.join(", ")}`);
      }
      for (const other of (requiredWith ?? []).filter((each) => each !== name)) {
        if (!reasons(kind, withAll(kind, [name])).some((reason) => reason.includes(other))) {
          missed.push(`${name} without ${other}`);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  it.each(kinds)("%s refuses some value of each property that is judged", (_type, kind) => {
    const ruled = allProperties(kind.inputs, `${nameOf(kind)}.`).filter(
      ([, { rule }]) => rule !== undefined,
    );
    const blind = ruled.filter(([, { rule }]) => ODD.every((value) => rule?.holds(value)));
    const wrongDefault = ruled.filter(
      ([, { rule, default: given }]) =>
        (typeof given === "string" || typeof given === "number") && rule?.holds(given) !== true,
    );
    expect([...blind, ...wrongDefault].map(([path]) => path)).toEqual([]);
  });

  it("names no deviation that isn't one", () => {
    const paths = kinds.flatMap(([type, kind]) =>
      allProperties(kind.inputs, `${nameOf(kind)}.`).map(([path]) => [path, type] as const),
    );
    const served = new Map(paths);
    const recorded = (path: string): Fact | undefined => {
      const [, ...names] = path.split(".");
      let facts: Facts | undefined = types[served.get(path) ?? ""];
      let fact: Fact | undefined;
      for (const name of names) {
        fact = facts?.[name];
        facts = fact?.fields;
      }
      return fact;
    };
    const stale = Object.entries(corrections).filter(([path, correction]) => {
      const fact: Partial<Fact> = recorded(path) ?? {};
      return Object.entries(correction).every(
        ([aspect, value]) => fact[aspect as keyof Fact] === value,
      );
    });
    const notRequired = [...REQUIRED_HERE].filter(
      (path) => !served.has(path) || recorded(path)?.required === true,
    );
    const marked = [...RULED_BY_SOURCE].filter((path) => recorded(path)?.validated === true);
    expect([...stale.map(([path]) => path), ...notRequired, ...marked]).toEqual([]);
  });
});
