import type { IncomingHttpHeaders } from "node:http";

/** A call of AWS' APIs. */
export interface AwsCall {
  /** As IAM names it, for example `ec2`. */
  readonly service: string;
  readonly region: string;
  /** As IAM names it, for example `CreateVpc`. */
  readonly action: string;
  /** What it names: texts by parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A call as it arrives. */
export interface ArrivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * Reads which call it is. IAM's names of S3's and Route 53's calls are those of the Service
 * Authorization Reference.
 */
export function readCall({ method, path, headers, body }: ArrivedCall): AwsCall {
  const credential = /Credential=([^,]+)/.exec(headers.authorization ?? "")?.[1] ?? "";
  const [, , region = "", service = ""] = credential.split("/");
  const url = new URL(path, "http://aws");
  const target = headers["x-amz-target"];
  if (typeof target === "string") {
    const action = target.split(".").at(-1) ?? "";
    return { service, region, action, parameters: textsOf(JSON.parse(body)) };
  }
  if (service === "s3") {
    return { service, region, ...readS3(method, url) };
  }
  if (service === "route53") {
    return { service, region, ...readRoute53(method, url) };
  }
  const { Action: action = "", ...parameters } = Object.fromEntries(new URLSearchParams(body));
  return { service, region, action, parameters };
}

function textsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value as object).filter(([, each]) => typeof each === "string"),
  );
}

/** What IAM calls the parts of a bucket. */
const BUCKET_PARTS: Readonly<Record<string, string>> = {
  acl: "BucketAcl",
  cors: "BucketCORS",
  encryption: "EncryptionConfiguration",
  lifecycle: "LifecycleConfiguration",
  location: "BucketLocation",
  policy: "BucketPolicy",
  publicAccessBlock: "BucketPublicAccessBlock",
  tagging: "BucketTagging",
  versioning: "BucketVersioning",
};
const VERBS: Readonly<Record<string, string>> = { GET: "Get", PUT: "Put", DELETE: "Delete" };

function readS3(method: string, url: URL): Pick<AwsCall, "action" | "parameters"> {
  const [, bucket = "", ...rest] = url.pathname.split("/");
  const key = rest.join("/");
  const parameters = { bucket, ...(key !== "" && { key }) };
  const has = (name: string) => url.searchParams.has(name);
  if (key !== "") {
    const part = has("tagging") ? "ObjectTagging" : "Object";
    const version = has("versionId") && method === "DELETE" ? "Version" : "";
    return { action: `${VERBS[method] ?? "Get"}${part}${version}`, parameters };
  }
  if (method === "POST" && has("delete")) {
    return { action: "DeleteObject", parameters: { bucket, key: "any" } };
  }
  const part = Object.keys(BUCKET_PARTS).find(has);
  if (part !== undefined) {
    const name = BUCKET_PARTS[part] ?? "";
    // What deletes a setting is allowed by what sets it, but for the policy.
    const verb = method === "DELETE" && part !== "policy" ? "Put" : VERBS[method];
    return { action: `${verb ?? ""}${name}`, parameters };
  }
  if (method === "GET" || method === "HEAD") {
    return { action: has("versions") ? "ListBucketVersions" : "ListBucket", parameters };
  }
  return { action: method === "PUT" ? "CreateBucket" : "DeleteBucket", parameters };
}

const ROUTE53: readonly (readonly [string, RegExp, string])[] = [
  ["POST", /\/hostedzone\/?$/, "CreateHostedZone"],
  ["GET", /\/(hostedzone|hostedzonesbyname)\/?$/, "ListHostedZones"],
  ["POST", /\/hostedzone\/[^/]+\/rrset\/?$/, "ChangeResourceRecordSets"],
  ["GET", /\/hostedzone\/[^/]+\/rrset\/?$/, "ListResourceRecordSets"],
  ["POST", /\/hostedzone\/[^/]+\/associatevpc$/, "AssociateVPCWithHostedZone"],
  ["POST", /\/hostedzone\/[^/]+\/disassociatevpc$/, "DisassociateVPCFromHostedZone"],
  ["POST", /\/hostedzone\/[^/]+$/, "UpdateHostedZoneComment"],
  ["GET", /\/hostedzone\/[^/]+$/, "GetHostedZone"],
  ["DELETE", /\/hostedzone\/[^/]+$/, "DeleteHostedZone"],
  ["GET", /\/change\/[^/]+$/, "GetChange"],
  ["GET", /\/tags\/hostedzone\/[^/]+$/, "ListTagsForResource"],
  ["POST", /\/tags\/hostedzone\/[^/]+$/, "ChangeTagsForResource"],
];

function readRoute53(method: string, url: URL): Pick<AwsCall, "action" | "parameters"> {
  const found = ROUTE53.find(([verb, path]) => verb === method && path.test(url.pathname));
  const [, kind, id] = /\/(hostedzone|change)\/([^/]+)/.exec(url.pathname) ?? [];
  return {
    action: found?.[2] ?? `${method} ${url.pathname}`,
    parameters: kind === undefined || id === undefined ? {} : { [kind]: id },
  };
}
