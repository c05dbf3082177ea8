import type { Stack } from "@pulumi/pulumi/automation";
import { importState } from "../../../cli/engine/stateOfStack";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../../provider/pki/clientCredentials";
import { compactCredentials } from "../../../provider/pki/compactCredentials";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";

const CLIENT_CONFIGURATION = "pulumi-nodejs:dynamic/talos:ClientConfiguration";

interface StoredResource {
  readonly type: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
}

/** Has a stack remember its Talos client certificates as if its last `up` had been some days ago. */
export async function ageCertificates(stack: Stack, days: number): Promise<void> {
  const exported = await stack.exportStack();
  const { resources = [] } = exported.deployment as { resources?: StoredResource[] };
  let text = JSON.stringify(exported);
  for (const { type, inputs, outputs } of resources) {
    if (type !== CLIENT_CONFIGURATION) {
      continue;
    }
    const authority = revealed(inputs?.certificateAuthority) as CertificateAndKey;
    const { crt, key } = revealed(outputs?.credentials) as ClientCredentials;
    const old = await issueClientCredentials(authority, {
      roles: ["os:admin"],
      now: new Date(Date.now() - days * 86_400_000),
      lifetimeHours: Number(outputs?.lifetimeHours),
    });
    text = text.replaceAll(crt, old.crt).replaceAll(key, old.key);
    // Machines record them in another form.
    const [was, is] = [{ ca: authority.crt, crt, key }, old].map(compactCredentials);
    text = text
      .replaceAll(was?.crt ?? crt, is?.crt ?? "")
      .replaceAll(was?.key ?? key, is?.key ?? "");
  }
  await importState(stack, JSON.parse(text) as typeof exported);
}

/** A secret as `exportStack` shows it. */
function revealed(secret: unknown): unknown {
  return JSON.parse((secret as { readonly plaintext: string }).plaintext);
}
