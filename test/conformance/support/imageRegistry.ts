import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";

/** The most that an image's program may have: Go's have some 30 MB. */
const MOST_BYTES = 256 * 1024 * 1024;

const LAYER = "application/vnd.oci.image.layer.v1.tar";
const CONFIG = "application/vnd.oci.image.config.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

/** A registry of images with a single one. */
export interface ImageRegistry {
  /** Where it answers, which a mirror of a machine configuration names. */
  readonly url: string;
  readonly close: () => void;
}

/** An image with a single program. */
export interface ProgramImage {
  /** A file: a statically linked program. */
  readonly program: string;
  /** Its name in the image's root. */
  readonly name: string;
}

/**
 * Serves an image, by whatever name and tag it is asked for.
 *
 * Source: OCI distribution specification v1.1, "Pulling manifests" and "Pulling blobs".
 *
 * @param host the address where nodes reach it
 */
export async function serveImage(image: ProgramImage, host: string): Promise<ImageRegistry> {
  const blobs = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
  const add = (mediaType: string, bytes: Buffer) => {
    const digest = digestOf(bytes);
    blobs.set(digest, { type: mediaType, bytes });
    return { mediaType, digest, size: bytes.length };
  };
  const layer = add(LAYER, await layerOf(image));
  const config = add(
    CONFIG,
    encode({
      architecture: "amd64",
      os: "linux",
      config: { Entrypoint: [`/${image.name}`] },
      rootfs: { type: "layers", diff_ids: [layer.digest] },
    }),
  );
  const manifest = add(
    MANIFEST,
    encode({ schemaVersion: 2, mediaType: MANIFEST, config, layers: [layer] }),
  );
  const server = createServer(({ method, url = "" }, answer) => {
    const [, kind, name = ""] = /\/(blobs|manifests)\/([^/?]+)/.exec(url) ?? [];
    const digest = name.startsWith("sha256:") || kind === "blobs" ? name : manifest.digest;
    const blob = kind === undefined ? undefined : blobs.get(digest);
    if (blob === undefined) {
      // The root says by which protocol it answers.
      answer.writeHead(/^\/v2\/?$/.test(url) ? 200 : 404).end();
      return;
    }
    const { type, bytes } = blob;
    answer.writeHead(200, {
      "Content-Type": type,
      "Content-Length": bytes.length,
      "Docker-Content-Digest": digest,
    });
    answer.end(method === "HEAD" ? undefined : bytes);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function layerOf({ program, name }: ProgramImage): Promise<Buffer> {
  const place = ["--directory", dirname(program), `--transform=s,.*,${name},`, "--dereference"];
  const owner = ["--owner=0", "--group=0", "--mode=0755"];
  const { stdout } = await promisify(execFile)(
    "tar",
    ["--create", ...place, ...owner, basename(program)],
    { encoding: "buffer", maxBuffer: MOST_BYTES },
  );
  return stdout;
}

function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
