import { clock } from "../base/clock";
import { askAws, elementOf } from "./askAws";
import type { AwsKeys } from "./signedHeaders";

/** A role to assume; see `assumeRoles` of Pulumi's AWS provider. */
export interface AssumedRole {
  /** Its ARN. */
  readonly roleArn: string;
  /** Default: none. */
  readonly externalId?: string | undefined;
  /** Default: `pulumi-talos-aws`. */
  readonly sessionName?: string | undefined;
}

/** As whom to ask AWS. */
export interface AwsAccess {
  /** Keys. Secret. Default: those that the AWS SDKs find: variables, files, single sign-on, tokens, the metadata service. */
  readonly keys?: AwsKeys | undefined;
  /** The profile in AWS' configuration files. Default: `AWS_PROFILE`. */
  readonly profile?: string | undefined;
  /** Roles to assume, each with the keys of the one before. Default: none. */
  readonly assumeRoles?: readonly AssumedRole[] | undefined;
}

/** Where to ask. */
export interface AwsPlace {
  readonly region: string;
  readonly partition: string;
}

/** Keys that end are replaced so long before. */
const MARGIN_MS = 5 * 60_000;

interface KeysFor {
  readonly keys: Promise<AwsKeys & { readonly expiration?: Date | undefined }>;
  /** When others are needed; undefined while that isn't known, or never. */
  until: number | undefined;
}

/** Keys that this process has, by who they are for. */
const known = new Map<string, KeysFor>();

/**
 * The keys to ask AWS with. They are kept while they are valid.
 *
 * @throws Error if there are none
 */
export async function keysFor(
  access: AwsAccess,
  place: AwsPlace,
  signal: AbortSignal | undefined,
): Promise<AwsKeys> {
  const name = JSON.stringify([access, place]);
  const former = known.get(name);
  if (former !== undefined && (former.until === undefined || clock.now() < former.until)) {
    return former.keys;
  }
  const keys = findKeys(access, place, signal);
  const found: KeysFor = { keys, until: undefined };
  known.set(name, found);
  try {
    const { expiration } = await keys;
    found.until = expiration && expiration.getTime() - MARGIN_MS;
    return await keys;
  } catch (error) {
    known.delete(name);
    throw error;
  }
}

async function findKeys(
  { keys, profile, assumeRoles = [] }: AwsAccess,
  place: AwsPlace,
  signal: AbortSignal | undefined,
): KeysFor["keys"] {
  // It is loaded only here, because most runs meet no new machine.
  const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
  let current: Awaited<KeysFor["keys"]> =
    keys ?? (await defaultProvider(profile === undefined ? {} : { profile })());
  for (const role of assumeRoles) {
    current = await assume(role, current, place, signal);
  }
  return current;
}

async function assume(
  { roleArn, externalId, sessionName = "pulumi-talos-aws" }: AssumedRole,
  keys: AwsKeys,
  place: AwsPlace,
  signal: AbortSignal | undefined,
): KeysFor["keys"] {
  const parameters = {
    Action: "AssumeRole",
    Version: "2011-06-15",
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    ...(externalId !== undefined && { ExternalId: externalId }),
  };
  const xml = await askAws({ ...place, service: "sts", parameters, keys }, signal);
  const [accessKeyId, secretAccessKey] = ["AccessKeyId", "SecretAccessKey"].map((name) =>
    elementOf(xml, name),
  );
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error(`AWS has answered without keys for ${roleArn}`);
  }
  const expiration = elementOf(xml, "Expiration");
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: elementOf(xml, "SessionToken"),
    ...(expiration !== undefined && { expiration: new Date(expiration) }),
  };
}
