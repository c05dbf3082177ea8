import { spawnSync } from "node:child_process";

/** Tests with containers of Docker. Skipped, and counted as that, where no engine answers or the image isn't there. */
export function describeWithDocker(title: string, image: string, tests: () => void): void {
  const reason = reasonAgainst(image);
  if (reason !== undefined) {
    console.warn(`skipped: ${title}: ${reason}`);
  }
  (reason === undefined ? describe : describe.skip)(title, tests);
}

/** Asks Docker; its answer without surrounding blanks. */
export function askDocker(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("docker", args, { encoding: "utf8" });
  if (status !== 0) {
    throw new Error(`docker ${args.join(" ")}: ${stderr}`);
  }
  return stdout.trim();
}

function reasonAgainst(image: string): string | undefined {
  const { status, stderr, error } = spawnSync("docker", ["image", "inspect", image], {
    encoding: "utf8",
  });
  if (error) {
    return "there is no program `docker` on PATH";
  }
  return status === 0
    ? undefined
    : /no such image/i.test(stderr)
      ? `Docker doesn't have the image: \`docker pull ${image}\``
      : `no Docker engine answers: ${stderr.trim()}`;
}
