import type { Deployment, OutputMap } from "@pulumi/pulumi/automation";

interface ExportedResource {
  readonly type: string;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A stack's outputs as its exported state has them: one engine tells them together with all else. */
export function exportedOutputs({ deployment }: Deployment): OutputMap {
  const { resources = [] } = (deployment ?? {}) as {
    readonly resources?: readonly ExportedResource[];
  };
  const outputs = resources.find(({ type }) => type === "pulumi:pulumi:Stack")?.outputs ?? {};
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      { value: revealed(value), secret: isSecret(value) },
    ]),
  );
}

/** A secret as `exportStack` shows it. */
function isSecret(value: unknown): value is { readonly plaintext: string } {
  return typeof value === "object" && value !== null && "plaintext" in value;
}

/** A value with all secrets in it in clear. */
function revealed(value: unknown): unknown {
  if (isSecret(value)) {
    return revealed(JSON.parse(value.plaintext));
  }
  if (Array.isArray(value)) {
    return value.map(revealed);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revealed(inner)]))
    : value;
}
