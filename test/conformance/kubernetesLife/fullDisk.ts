import { execFileSync } from "node:child_process";
import { appendFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { varOf } from "./labDisk";
import type { LifeCluster } from "./lifeCluster";

const SIZE_MIB = 1_500;
const REFILL_MS = 200;

/** A small disk of its own for what a machine writes, instead of this computer's. */
export class FullDisk {
  private filling: NodeJS.Timeout | undefined;

  private constructor(
    private readonly cluster: LifeCluster,
    private readonly name: string,
    private readonly folder: string,
  ) {}

  /** Gives a machine one, with what it has written so far. */
  static async of(cluster: LifeCluster, name: string): Promise<FullDisk> {
    const folder = varOf(name);
    await cluster.lab.stop(name);
    const copy = `${folder}-copy`;
    execFileSync("mv", [folder, copy]);
    execFileSync("mkdir", [folder]);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MIB}m`, "life", folder]);
    copyAll(copy, folder);
    rmSync(copy, { recursive: true, force: true });
    await cluster.lab.start(name);
    await cluster.awaitWell();
    return new FullDisk(cluster, name, folder);
  }

  /** Leaves no space, also where the kubelet makes some: it removes images that no container uses. */
  fill(): void {
    this.fillSpace();
    this.filling = setInterval(() => {
      this.fillSpace();
    }, REFILL_MS);
  }

  empty(): void {
    clearInterval(this.filling);
    rmSync(this.file, { force: true });
  }

  /** Gives the machine its former disk back, with what it has written. */
  async remove(): Promise<void> {
    this.empty();
    await this.cluster.lab.stop(this.name);
    const copy = `${this.folder}-copy`;
    execFileSync("mkdir", [copy]);
    copyAll(this.folder, copy);
    execFileSync("umount", [this.folder]);
    execFileSync("rmdir", [this.folder]);
    execFileSync("mv", [copy, this.folder]);
    await this.cluster.lab.start(this.name);
    await this.cluster.awaitWell();
  }

  /** The machine writes too, so there may be less space than a moment ago. */
  private fillSpace(): void {
    const { bavail, bsize } = statfsSync(this.folder);
    try {
      appendFileSync(this.file, Buffer.alloc(bavail * bsize));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) {
        throw error;
      }
    }
  }

  private get file(): string {
    return join(this.folder, "lib/filler");
  }
}

/** With owners, devices and sockets. */
function copyAll(from: string, to: string): void {
  execFileSync("cp", ["--archive", `${from}/.`, to]);
}
