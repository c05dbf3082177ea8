import { SERVICES, type Service } from "./awsClients";
import { checkProperties } from "./check";
import { Inputs, stringsOf } from "./inputs";
import type { PropertyTable } from "./propertyTable";
import type { CheckFailure } from "./resourceKind";
import { containsUnknown, isObject, type Value, type Values } from "./value";

/** The provider's configuration, complete. */
export interface ProviderConfig {
  readonly region: string;
  readonly endpoints: Readonly<Record<Service, string>>;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly defaultTags: Readonly<Record<string, string>>;
}

const FLAG = { type: "boolean" } as const;
const TEXT = { type: "string" } as const;
const ENDPOINT_FIELDS: PropertyTable = Object.fromEntries(
  [...SERVICES, "sts"].map((service) => [service, TEXT]),
);

/** Nested and boolean properties of a provider arrive as JSON text. */
const CONFIG: PropertyTable = {
  region: TEXT,
  accessKey: TEXT,
  secretKey: TEXT,
  token: TEXT,
  profile: TEXT,
  version: TEXT,
  pluginDownloadURL: TEXT,
  maxRetries: { type: "number" },
  skipCredentialsValidation: FLAG,
  skipMetadataApiCheck: FLAG,
  skipRegionValidation: FLAG,
  skipRequestingAccountId: FLAG,
  s3UsePathStyle: FLAG,
  endpoints: { type: "blocks", fields: ENDPOINT_FIELDS },
  defaultTags: { type: "block", fields: { tags: { type: "map" } } },
};

/** All problems of the configuration. */
export function checkProviderConfig(config: Values): CheckFailure[] {
  return checkProperties(CONFIG, decoded(config), "of the AWS provider").failures;
}

/** Properties of the configuration whose change replaces the provider's resources. */
export function providerReplaces(olds: Values, news: Values): string[] {
  return olds.region === news.region || containsUnknown(news.region) ? [] : ["region"];
}

/**
 * The effective configuration. The program's settings come before environment variables.
 *
 * @throws Error that names all missing settings, and each endpoint that isn't on this computer: the
 *   substitute works only with an emulated AWS.
 */
export function resolveProviderConfig(
  config: Values,
  environment: NodeJS.ProcessEnv,
): ProviderConfig {
  const inputs = new Inputs(decoded(config));
  const region =
    inputs.string("region") ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  const given = inputs.blocks("endpoints");
  const endpoints = Object.fromEntries(
    SERVICES.map((service) => [
      service,
      given.map((entry) => entry.string(service)).find((url) => url !== undefined) ??
        environment[`AWS_ENDPOINT_URL_${ENVIRONMENT_NAMES[service]}`] ??
        environment.AWS_ENDPOINT_URL ??
        "",
    ]),
  ) as Record<Service, string>;
  const problems = [
    ...(region === undefined ? ['no region: set "aws:region" or AWS_REGION'] : []),
    ...[...new Set(Object.values(endpoints))].filter((url) => !isOnThisMachine(url)).map(notHere),
  ];
  if (region === undefined || problems.length > 0) {
    throw new Error(`the substitute for the AWS plugin can't work: ${problems.join("; ")}`);
  }
  return {
    region,
    endpoints,
    accessKeyId: inputs.string("accessKey") ?? environment.AWS_ACCESS_KEY_ID ?? "emulator",
    secretAccessKey: inputs.string("secretKey") ?? environment.AWS_SECRET_ACCESS_KEY ?? "emulator",
    defaultTags: inputs.block("defaultTags")?.map("tags") ?? {},
  };
}

const ENVIRONMENT_NAMES: Readonly<Record<Service, string>> = {
  autoscaling: "AUTO_SCALING",
  ec2: "EC2",
  elb: "ELASTIC_LOAD_BALANCING",
  elbv2: "ELASTIC_LOAD_BALANCING_V2",
  eventbridge: "EVENTBRIDGE",
  iam: "IAM",
  kms: "KMS",
  logs: "CLOUDWATCH_LOGS",
  resourcegroupstaggingapi: "RESOURCE_GROUPS_TAGGING_API",
  route53: "ROUTE_53",
  s3: "S3",
  servicequotas: "SERVICE_QUOTAS",
  sqs: "SQS",
};

function notHere(url: string): string {
  return url === ""
    ? "no endpoint: set AWS_ENDPOINT_URL to that of the emulated AWS"
    : `the endpoint "${url}" is not on this machine, and the substitute never speaks to a real AWS`;
}

function isOnThisMachine(url: string): boolean {
  try {
    const { hostname } = new URL(url);
    return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
  } catch {
    return false;
  }
}

function decoded(config: Values): Values {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, decodedValue(name, value)]),
  );
}

function decodedValue(name: string, value: Value): Value {
  const property = CONFIG[name];
  if (typeof value !== "string" || property === undefined || property.type === "string") {
    return value;
  }
  try {
    const parsed = JSON.parse(value) as Value;
    const tags = isObject(parsed) ? parsed.tags : undefined;
    return name === "defaultTags" && isObject(tags) ? { tags: stringsOf(tags) } : parsed;
  } catch {
    return value;
  }
}
