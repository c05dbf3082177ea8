import { partitionOf } from "../../components/permissions";
import { UNKNOWN } from "../../provider/base";
import type { AccountScope, GrantedResource } from "./grant";

/** A resource of a stack, recorded or previewed. */
export interface KnownResource {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Empty for a new one. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

const ARN = /^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:(\d{12})?:/;

/** Where a stack's resources are, from what they say; `*` for what none says. */
export function findScope(resources: readonly KnownResource[]): AccountScope {
  const regions = new Set(resources.map(regionOf).filter((region) => region !== undefined));
  const accounts = new Set(
    resources.map(({ outputs }) => accountOf(outputs.arn)).filter((account) => account !== ""),
  );
  const [region = "*", ...others] = [...regions];
  const [account = "*"] = [...accounts];
  return {
    region: others.length > 0 ? "*" : region,
    account: accounts.size > 1 ? "*" : account,
    partition: partitionOf(region),
  };
}

function regionOf({ inputs, outputs }: KnownResource): string | undefined {
  const region = outputs.region ?? inputs.region;
  return typeof region === "string" && /^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ? region : undefined;
}

function accountOf(arn: unknown): string {
  return typeof arn === "string" ? (ARN.exec(arn)?.[1] ?? "") : "";
}

/** A resource as the table of permissions reads it. */
export function grantedResource(resource: KnownResource, stack: AccountScope): GrantedResource {
  const { inputs, outputs } = resource;
  const region = regionOf(resource);
  const scope = region === undefined ? stack : { ...stack, region };
  const value = (property: string) => valueAt(inputs, property) ?? valueAt(outputs, property);
  return {
    scope,
    text: (property) => {
      const found = textOf(value(property));
      return isMade(inputs, property) ? found.replace(/-[0-9a-f]{7}$/, "-*") : found;
    },
    has: (property) => {
      const found = value(property);
      return found !== undefined && found !== false && found !== "";
    },
    arns: (property) => textsIn(value(property)).filter((text) => ARN.test(text)),
    hasUnknown: (property, field) => isUnknownIn({ [property]: value(property) }, field),
  };
}

/** A value at a path such as `diskContainer.userBucket`. */
function valueAt(properties: KnownResource["inputs"], path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (parent, name) =>
        typeof parent === "object" && parent !== null
          ? (parent as Record<string, unknown>)[name]
          : undefined,
      properties,
    );
}

/** Whether Pulumi has chosen a name. */
function isMade({ __defaults: defaults }: KnownResource["inputs"], property: string): boolean {
  return Array.isArray(defaults) && defaults.includes(property);
}

function textOf(value: unknown): string {
  return typeof value === "string" && value !== "" && value !== UNKNOWN && value !== "[secret]"
    ? value
    : "*";
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function isUnknownIn(value: unknown, field: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).some(
      ([name, child]) => (name === field && child === UNKNOWN) || isUnknownIn(child, field),
    )
  );
}
