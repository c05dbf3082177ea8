// The first step of the build: writes provider/api/gen/, the TypeScript types of the Talos API in
// provider/api/proto/, unless they are those of the same files already.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const protoDir = join(root, "provider/api/proto");
const genDir = join(root, "provider/api/gen");
const record = join(genDir, ".madeFrom");
const generator = join(root, "node_modules/@grpc/proto-loader/package.json");

const protos = readdirSync(protoDir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .map((path) => ({ path: relative(protoDir, path), text: readFileSync(path, "utf8") }));
const madeFrom = createHash("sha256")
  .update(JSON.stringify([protos, readFileSync(generator, "utf8")]))
  .digest("hex");

if (!existsSync(record) || readFileSync(record, "utf8") !== madeFrom) {
  rmSync(genDir, { recursive: true, force: true });
  const flags = ["--longs=String", "--enums=String", "--defaults", "--oneofs"];
  execFileSync(
    process.execPath,
    [
      join(dirname(generator), "build/bin/proto-loader-gen-types.js"),
      ...flags,
      "--grpcLib=@grpc/grpc-js",
      `--includeDirs=${protoDir}`,
      `--outDir=${genDir}`,
      ...protos.filter(({ text }) => /^service /m.test(text)).map(({ path }) => path),
    ],
    { stdio: ["ignore", "ignore", "inherit"], cwd: root },
  );
  // The generator writes absolute paths into its headers, which a package must not have.
  for (const entry of readdirSync(genDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll(`${root}/`, ""));
  }
  // Last, so that types which were cut off are made again.
  writeFileSync(record, madeFrom);
}
