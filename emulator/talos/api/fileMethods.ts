import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { DiskUsageInfo } from "../../../provider/api/gen/machine/DiskUsageInfo";
import type { DiskUsageRequest__Output } from "../../../provider/api/gen/machine/DiskUsageRequest";
import type { FileInfo } from "../../../provider/api/gen/machine/FileInfo";
import type { ListRequest__Output } from "../../../provider/api/gen/machine/ListRequest";
import { talosMinor } from "../../../provider/config";
import { filesOf, type FileEntry } from "../machine/fileTree";
import { serverStream, type Method } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { chunksOf } from "./chunks";
import { fileArchive } from "./fileArchive";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

type FileTree = ReadonlyMap<string, FileEntry>;

/**
 * Methods to list, count, read and copy the files of a node (talos v1.12.1 and v1.14.1,
 * `v1alpha1_server.go`).
 */
export function fileMethods({ state }: MethodContext): Method[] {
  return [
    serverStream(service.Read, async function* ({ path }) {
      const tree = filesOf(state);
      const entry = followed(tree, path);
      if (!entry) {
        throw new RpcError(status.NOT_FOUND, `stat ${path}: no such file or directory`);
      }
      if (entry.kind === "directory") {
        throw new RpcError(status.UNKNOWN, "path must be a regular file");
      }
      for (const bytes of chunksOf(Buffer.from(textOf(entry)))) {
        yield { bytes };
      }
      await Promise.resolve();
    }),
    serverStream(service.List, async function* (request) {
      yield* await Promise.resolve(listed(filesOf(state), request));
    }),
    serverStream(service.DiskUsage, async function* (request) {
      // Talos ignores paths after the first one too.
      yield* await Promise.resolve(usage(filesOf(state), request.paths[0] ?? "/", request));
    }),
    serverStream(service.Copy, async function* ({ rootPath }) {
      const entry = followed(filesOf(state), rootPath);
      if (!entry) {
        const error = `lstat ${rootPath}: no such file or directory`;
        // Up to v1.13, errors of this stream are messages.
        if ((talosMinor(state.talosVersion) ?? 0) >= 14) {
          throw new RpcError(status.UNKNOWN, error);
        }
        yield { metadata: { error } };
        return;
      }
      if (entry.kind === "directory") {
        throw new RpcError(status.UNIMPLEMENTED, "copying directories is not simulated");
      }
      const name = rootPath.slice(rootPath.lastIndexOf("/") + 1);
      const archive = fileArchive(name, Buffer.from(textOf(entry)), state.uptime.startedAt);
      for (const bytes of chunksOf(archive)) {
        yield { bytes };
      }
      await Promise.resolve();
    }),
  ];

  function listed(tree: FileTree, request: ListRequest__Output): FileInfo[] {
    const { recurse, recursionDepth, types } = request;
    const root = followed(tree, cleaned(request.root));
    if (!root) {
      throw new RpcError(
        status.UNKNOWN,
        `lstat ${cleaned(request.root)}: no such file or directory`,
      );
    }
    const deepest = recurse ? (recursionDepth === 0 ? Infinity : recursionDepth) : 1;
    return below(tree, root)
      .filter(({ path }) => depthBelow(root, path) <= deepest)
      .filter(({ kind }) => types.length === 0 || types.includes(typeNames[kind]))
      .map((entry) => ({
        name: entry.path,
        relativeName: relativeName(root, entry),
        size: `${entry.sizeBytes}`,
        mode: modeOf(entry),
        modified: `${Math.floor(state.uptime.startedAt.getTime() / 1000)}`,
        isDir: entry.kind === "directory",
        link: entry.target,
      }));
  }
}

const typeNames = { file: "REGULAR", directory: "DIRECTORY", link: "SYMLINK" } as const;

/** Bits of Go's `os.FileMode` for directories and links. */
const kindBits = { file: 0, directory: 0x80000000, link: 0x08000000 };

function modeOf({ kind, permissions }: FileEntry): number {
  return (kindBits[kind] | permissions) >>> 0;
}

/** Sizes of directories with their content, each after its content; also of files if requested. */
function usage(tree: FileTree, rootPath: string, request: DiskUsageRequest__Output) {
  const root = followed(tree, cleaned(rootPath));
  if (!root) {
    const name = cleaned(rootPath);
    return [{ name, relativeName: name, error: `lstat ${name}: no such file or directory` }];
  }
  const { recursionDepth, all } = request;
  const threshold = Number(request.threshold);
  const infos: DiskUsageInfo[] = [];
  const count = (entry: FileEntry): number => {
    const inside = childrenOf(tree, entry).reduce((sum, child) => sum + count(child), 0);
    const size = entry.sizeBytes + inside;
    const isShown =
      (recursionDepth <= 0 || depthBelow(root, entry.path) < recursionDepth) &&
      (all || entry.kind === "directory") &&
      !(threshold > 0 && size < threshold) &&
      !(threshold < 0 && size > -threshold);
    if (isShown) {
      infos.push({ name: entry.path, relativeName: relativeName(root, entry), size: `${size}` });
    }
    return size;
  };
  count(root);
  return infos;
}

function textOf(entry: FileEntry): string {
  if (entry.text !== undefined) {
    return entry.text;
  }
  throw new RpcError(status.UNIMPLEMENTED, `the content of ${entry.path} is not simulated`);
}

/** An absolute path without a slash at the end. */
function cleaned(path: string): string {
  const absolute = path.startsWith("/") ? path : `/${path}`;
  return absolute.replace(/\/+$/, "") || "/";
}

/** The entry at a path, following a link at its end or beginning. */
function followed(tree: FileTree, path: string): FileEntry | undefined {
  const entry = tree.get(cleaned(path));
  if (entry?.kind === "link") {
    return tree.get(cleaned(entry.target));
  }
  return entry;
}

function below(tree: FileTree, root: FileEntry): FileEntry[] {
  return [root, ...childrenOf(tree, root).flatMap((child) => below(tree, child))];
}

function childrenOf(tree: FileTree, { path, kind }: FileEntry): FileEntry[] {
  if (kind !== "directory") {
    return [];
  }
  const prefix = path === "/" ? "/" : `${path}/`;
  return [...tree.values()].filter(
    (entry) =>
      entry.path !== "/" &&
      entry.path.startsWith(prefix) &&
      !entry.path.slice(prefix.length).includes("/"),
  );
}

function depthBelow(root: FileEntry, path: string): number {
  const rest = path.slice(root.path === "/" ? 0 : root.path.length);
  return rest.split("/").filter((part) => part !== "").length;
}

function relativeName(root: FileEntry, { path, kind }: FileEntry): string {
  if (path === root.path) {
    return kind === "directory" ? "." : path.slice(path.lastIndexOf("/") + 1);
  }
  return path.slice(root.path === "/" ? 1 : root.path.length + 1);
}
