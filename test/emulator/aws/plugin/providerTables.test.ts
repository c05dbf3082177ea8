import { readFileSync } from "node:fs";
import path from "node:path";
import { checkResource } from "../../../../emulator/aws/plugin/check";
import type { Property, PropertyTable } from "../../../../emulator/aws/plugin/propertyTable";
import type { ResourceKind } from "../../../../emulator/aws/plugin/resourceKind";
import { resourceKinds } from "../../../../emulator/aws/plugin/resources/resourceKinds";
import { isObject, type Value, type Values } from "../../../../emulator/aws/plugin/value";

/** What the AWS provider's schema says of one property, under its Pulumi name. */
interface Fact {
  readonly type: string;
  readonly unordered?: boolean;
  readonly required?: boolean;
  readonly replaces?: boolean;
  /** AWS chooses when it is left out. */
  readonly computed?: boolean;
  /** AWS alone says it. */
  readonly output?: boolean;
  readonly default?: Value;
  readonly conflictsWith?: readonly string[];
  readonly exactlyOneOf?: readonly string[];
  readonly fields?: Facts;
}
type Facts = Readonly<Record<string, Fact>>;

const { types } = JSON.parse(
  readFileSync(path.join(__dirname, "../testdata/providerFacts.json"), "utf8"),
) as { types: Readonly<Record<string, Facts>> };

/** Where the provider differs from the recorded schema: later releases, and what Pulumi changes. */
const CORRECTIONS: Readonly<Record<string, Partial<Fact>>> = {
  // Since 5.33 and later.
  "Group.instanceRefresh.preferences.maxHealthyPercentage": { type: "number", default: 100 },
  "BucketLifecycleConfiguration.rules.noncurrentVersionExpiration.newerNoncurrentVersions": {
    type: "number",
  },
  "Listener.tcpIdleTimeoutSeconds": { type: "number", computed: true },
  "Eip.arn": { type: "string", output: true },
  "Subnet.ipv6CidrBlock": { computed: true },
  "TargetGroup.loadBalancerArns": { type: "strings", output: true },
  "Volume.createTime": { type: "string", output: true },
  // Plan modifiers, which are no part of the schema.
  "Instance.creditSpecification": { computed: true },
  "Instance.creditSpecification.cpuCredits": { computed: true },
  "LoadBalancer.accessLogs": { computed: true },
  "SecurityGroupEgressRule.securityGroupId": { replaces: true },
  "SecurityGroupIngressRule.securityGroupId": { replaces: true },
  // Pulumi's own.
  "Record.aliases": { type: "blocks" },
  "SecurityGroup.description": { default: "Managed by Pulumi" },
  "TargetGroup.deregistrationDelay": { type: "number", default: 300 },
  "Zone.comment": { default: "Managed by Pulumi" },
};

/** What the provider takes without, and the stand-in doesn't: it serves fewer ways to say it. */
const REQUIRED_HERE = new Set([
  "Alias.name",
  "BucketLifecycleConfiguration.rules.noncurrentVersionExpiration.noncurrentDays",
  "FlowLog.logDestination",
  "FlowLog.trafficType",
  "FlowLog.vpcId",
  "Instance.ami",
  "Instance.instanceType",
  "Subnet.cidrBlock",
  "TargetGroup.port",
  "TargetGroup.protocol",
  "Vpc.cidrBlock",
]);

function nameOf(kind: ResourceKind): string {
  return kind.type.split(":")[2] ?? "";
}

/** What holds of a property; undefined where nothing is known of it. */
function factOf(where: string, recorded: Fact | undefined): Fact | undefined {
  const correction = CORRECTIONS[where];
  const corrected = correction === undefined ? recorded : { type: "", ...recorded, ...correction };
  if (corrected !== undefined && REQUIRED_HERE.has(where)) {
    return { ...corrected, required: true, computed: false };
  }
  return corrected;
}

function text(value: Value | undefined): string {
  return JSON.stringify(value ?? null);
}

/** Where a table of the stand-in says something else than the facts. */
function differences(where: string, table: PropertyTable, facts: Facts | undefined): string[] {
  return Object.entries(table).flatMap(([name, property]) => {
    const here = `${where}.${name}`;
    const fact = factOf(here, facts?.[name]);
    if (fact === undefined || fact.output === true) {
      return [`${here}: the provider has no such input`];
    }
    const aspects = ["type", "required", "replaces", "computed", "unordered", "default"] as const;
    const wrong = aspects.filter(
      (aspect) => (property[aspect] ?? false) !== (fact[aspect] ?? false),
    );
    return [
      ...wrong.map(
        (aspect) =>
          `${here}: ${aspect} is ${text(property[aspect])}, by the provider ${text(fact[aspect])}`,
      ),
      ...(property.fields === undefined ? [] : differences(here, property.fields, fact.fields)),
    ];
  });
}

/** Every fact of a kind by its path, as far as the stand-in serves the property. */
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

/** Any value that the property takes. */
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

function reasons(kind: ResourceKind, inputs: Values): string[] {
  const context = { pulumiName: "test", randomSeed: new Uint8Array(32) };
  return checkResource(kind, {}, inputs, context).failures.map(({ reason }) => reason);
}

const kinds = [...resourceKinds.values()].map((kind): [string, ResourceKind] => [kind.type, kind]);

describe("the substitute plugin's tables, compared with the AWS provider's schema", () => {
  it.each(kinds)("%s has the same properties", (type, kind) => {
    expect(differences(nameOf(kind), kind.inputs, types[type])).toEqual([]);
    const unknown = kind.outputs.filter((name) => {
      const fact = factOf(`${nameOf(kind)}.${name}`, types[type]?.[name]);
      return name !== "tagsAll" && fact?.output !== true && fact?.computed !== true;
    });
    expect(unknown).toEqual([]);
  });

  it.each(kinds)("%s rejects properties that exclude each other", (type, kind) => {
    const missed: string[] = [];
    for (const [name, { conflictsWith, exactlyOneOf }] of servedFacts(
      kind.inputs,
      types[type] ?? {},
    )) {
      const others = [...(conflictsWith ?? []), ...(exactlyOneOf ?? [])];
      for (const other of others.filter((each) => each !== name)) {
        const given = [name, other].map((each) => each.split(".").pop() ?? "");
        const told = reasons(kind, withAll(kind, [name, other]));
        if (!told.some((reason) => given.every((each) => reason.includes(each)))) {
          missed.push(`${name} and ${other}`);
        }
      }
      const [, ...around] = name.split(".").reverse();
      const none = around.length === 0 ? [] : [around.reverse().join(".")];
      if (exactlyOneOf !== undefined && reasons(kind, withAll(kind, none)).length === 0) {
        missed.push(`none of ${exactlyOneOf.join(", ")}`);
      }
    }
    expect(missed).toEqual([]);
  });
});
