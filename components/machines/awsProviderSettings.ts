import type { AssumedRole, AwsAccess } from "../../provider/console";
import { defined } from "../defined";

/** A text among the settings of an AWS provider; undefined for an empty one, which sets nothing. */
export function textSetting(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The keys among the settings `accessKey`, `secretKey` and `token`; undefined without the first two. */
export function keySettings(
  accessKey: unknown,
  secretKey: unknown,
  token: unknown,
): AwsAccess["keys"] {
  const [accessKeyId, secretAccessKey] = [textSetting(accessKey), textSetting(secretKey)];
  return accessKeyId === undefined || secretAccessKey === undefined
    ? undefined
    : defined({ accessKeyId, secretAccessKey, sessionToken: textSetting(token) });
}

/** The roles in the setting `assumeRoles`: a list, or its JSON, as states have it. */
export function roleSettings(value: unknown): AssumedRole[] | undefined {
  const text = textSetting(value);
  const list: unknown = text === undefined ? value : JSON.parse(text);
  if (!Array.isArray(list)) {
    return undefined;
  }
  return list.flatMap((role: Readonly<Record<string, unknown>> | null): AssumedRole[] => {
    const roleArn = textSetting(role?.roleArn);
    const externalId = textSetting(role?.externalId);
    const sessionName = textSetting(role?.sessionName);
    return roleArn === undefined ? [] : [defined({ roleArn, externalId, sessionName })];
  });
}
