import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { parse } from "yaml";
import {
  checkEtcdSnapshotFile,
  type EtcdSnapshotFile,
  sha256OfFile,
} from "../../provider/lifecycle";
import { CommandFailure } from "../commandFailure";

export interface SnapshotFacts {
  /** Full path. */
  readonly path: string;
  readonly skipHashCheck: boolean;
  /** SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  readonly writtenAt: Date;
  /** The origin of the snapshot, according to the CA of the Kubernetes API in it. */
  readonly cluster: "this" | "another" | "unknown";
}

/**
 * The key under which every cluster stores its API server's CA, in clear. Source: Kubernetes v1.35,
 * pkg/controller/certificates/rootcacertpublisher.
 */
const AUTHORITY_KEY = "/registry/configmaps/kube-system/kube-root-ca.crt";

/**
 * Reads a snapshot.
 *
 * @param kubeconfig contains the cluster's CA; undefined without one
 * @throws CommandFailure if it is not a complete snapshot
 */
export async function readSnapshotFacts(
  { path: given, skipHashCheck = false }: EtcdSnapshotFile,
  kubeconfig: string | undefined,
): Promise<SnapshotFacts> {
  const path = resolve(given);
  const [problem] = await checkEtcdSnapshotFile({ path, skipHashCheck });
  if (problem !== undefined) {
    throw new CommandFailure(problem.reason);
  }
  const { size, mtime } = await stat(path);
  const authorities = kubeconfig === undefined ? [] : authoritiesIn(kubeconfig);
  const [hasKey, ...hasAuthority] = await findTexts(path, [AUTHORITY_KEY, ...authorities]);
  const isKnown = hasKey === true && authorities.length > 0;
  return {
    path,
    skipHashCheck,
    sha256: await sha256OfFile(path),
    bytes: size,
    writtenAt: mtime,
    cluster: hasAuthority.includes(true) ? "this" : isKnown ? "another" : "unknown",
  };
}

/** The CAs of a kubeconfig, as the text within a PEM block. */
function authoritiesIn(kubeconfig: string): string[] {
  const { clusters = [] } = parse(kubeconfig) as {
    readonly clusters?: readonly { readonly cluster?: Readonly<Record<string, unknown>> }[];
  };
  const data = clusters[0]?.cluster?.["certificate-authority-data"];
  const pem = typeof data === "string" ? Buffer.from(data, "base64").toString() : "";
  const blocks = /-----BEGIN CERTIFICATE-----\s*([^-]+?)\s*-----END CERTIFICATE-----/g;
  return [...pem.matchAll(blocks)].map(([, body = ""]) => body.replaceAll("\r", ""));
}

/** Whether a file contains each of some texts. The file may be larger than memory. */
async function findTexts(path: string, texts: readonly string[]): Promise<readonly boolean[]> {
  const wanted = texts.map((text) => Buffer.from(text));
  const found = wanted.map(() => false);
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of createReadStream(path, { highWaterMark: 1_048_576 })) {
    const piece = Buffer.concat([rest, part as Buffer]);
    wanted.forEach((text, index) => {
      found[index] ||= piece.includes(text);
    });
    rest = piece.subarray(Math.max(0, piece.length - overlap));
  }
  return found;
}
