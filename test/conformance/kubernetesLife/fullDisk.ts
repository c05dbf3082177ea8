import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { varOf } from "./labDisk";
import type { LifeCluster } from "./lifeCluster";

const SIZE_MIB = 1_500;

/** A small disk of its own for what a machine writes, instead of this computer's. */
export class FullDisk {
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

  /** Leaves no space. The machine writes too, so there may be less of it than a moment ago. */
  fill(): Promise<void> {
    const { bavail, bsize } = statfsSync(this.folder);
    try {
      writeFileSync(this.file, Buffer.alloc(bavail * bsize));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) {
        throw error;
      }
    }
    return Promise.resolve();
  }

  empty(): Promise<void> {
    rmSync(this.file, { force: true });
    return Promise.resolve();
  }

  /** Gives the machine its former disk back, with what it has written. */
  async remove(): Promise<void> {
    await this.empty();
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

  private get file(): string {
    return join(this.folder, "lib/filler");
  }
}

/** With owners, devices and sockets. */
function copyAll(from: string, to: string): void {
  execFileSync("cp", ["--archive", `${from}/.`, to]);
}
