import { readdirSync, readFileSync } from "node:fs";

/** What a run of Pulumi, or of terraform, consists of: `aws` is the plugin for AWS, or what stands in for it. */
export type EngineRole = "engine" | "program" | "plugin" | "aws";

/** What the processes of one role took: their processor time, and the most memory of one of them. */
export interface RoleUsage {
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

export type EngineUsage = Readonly<Record<EngineRole, RoleUsage>>;

/** How often the processes are looked at: what one takes after the last look is not seen. */
const EVERY_MS = 50;
/** Clock ticks of /proc in a second. */
const TICKS = 100;

interface Seen extends RoleUsage {
  readonly role: EngineRole;
}

/**
 * Does something with Pulumi, whose program is this process and whose engine and plugin are started by
 * it, or with terraform, and tells what each took. Of Linux: it reads /proc.
 */
export async function withUsage(work: () => Promise<unknown>): Promise<EngineUsage> {
  const before = process.cpuUsage();
  const seen = new Map<number, Seen>();
  const timer = setInterval(() => {
    look(process.pid, seen);
  }, EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const { user, system } = process.cpuUsage(before);
  const program = {
    cpuSeconds: (user + system) / 1e6,
    peakMiB: process.resourceUsage().maxRSS / 1024,
  };
  return {
    program,
    engine: sum(seen, "engine"),
    plugin: sum(seen, "plugin"),
    aws: sum(seen, "aws"),
  };
}

function sum(seen: ReadonlyMap<number, Seen>, role: EngineRole): RoleUsage {
  const ofRole = [...seen.values()].filter((each) => each.role === role);
  return {
    cpuSeconds: ofRole.reduce((total, { cpuSeconds }) => total + cpuSeconds, 0),
    peakMiB: Math.max(0, ...ofRole.map(({ peakMiB }) => peakMiB)),
  };
}

/** Looks at all descendants of a process. */
function look(parent: number, seen: Map<number, Seen>): void {
  for (const pid of childrenOf(parent)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      // The program's name, in parentheses, may hold blanks.
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      const cpuSeconds = (Number(stat[11]) + Number(stat[12])) / TICKS;
      const before = seen.get(pid);
      // A zombie process has no command and no memory.
      const now =
        command === "" && before !== undefined
          ? before
          : {
              role: roleOf(command),
              peakMiB: Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024,
            };
      seen.set(pid, { ...now, cpuSeconds });
    } catch {
      // It has ended, and what was seen of it stays.
    }
    look(pid, seen);
  }
}

function roleOf(command: string): EngineRole {
  if (/dynamic-provider|terraform-provider-/.test(command)) {
    return "plugin";
  }
  return /pulumi-resource-aws|aws[\\/]plugin[\\/]/.test(command) ? "aws" : "engine";
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .split(" ")
        .filter((child) => child !== "")
        .map(Number),
    );
  } catch {
    return [];
  }
}
