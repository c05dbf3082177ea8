import { isDeepStrictEqual } from "node:util";
import { talosMinor } from "../../../provider/config";
import type { EncryptionKeys } from "../config/encryptionKeys";
import type { MachineFacts } from "../config/machineFacts";
import { bootstrapManifests, orderedObjects } from "./bootstrapManifests";
import type { KubernetesStore } from "./kubernetesStore";

/** Talos' controller of manifests: it creates missing objects, and leaves those that exist alone. */
export class ManifestApplier {
  /** The manifests that were last applied, and the cluster they were applied to. */
  private applied: { readonly store: KubernetesStore; readonly rendering: object } | undefined;

  /** Creates missing objects of Talos' manifests, at the start and when the manifests change. */
  apply(
    facts: MachineFacts,
    talosVersion: string,
    store: KubernetesStore,
    encryptionKeys: EncryptionKeys,
  ): void {
    const { images, manifests, dnsDomain, podCidrs, kubernetesAcceptedCas } = facts;
    // The API server does this itself, at each change and each minute.
    const [clients, aggregators] = [kubernetesAcceptedCas, facts.aggregatorCas].map((each) =>
      each.map((crt) => Buffer.from(crt, "base64").toString()),
    );
    store.publishAuthorities(clients ?? [], aggregators ?? []);
    const rendering = { images, manifests, dnsDomain, podCidrs, kubernetesAcceptedCas };
    const isDone =
      this.applied?.store === store && isDeepStrictEqual(this.applied.rendering, rendering);
    if (isDone) {
      return;
    }
    this.applied = { store, rendering };
    const objects = orderedObjects(bootstrapManifests(facts, talosVersion));
    store.install(objects, { isRecording: (talosMinor(talosVersion) ?? 0) >= 13 });
    store.encrypted.seal(encryptionKeys);
    // Only the issuing CA (Talos v1.12.1, `--root-ca-file`).
    const [authority = ""] = kubernetesAcceptedCas;
    store.publishRootCa(Buffer.from(authority, "base64").toString());
  }
}
