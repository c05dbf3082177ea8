import { isUnknown } from "../base/unknown";
import { suggest } from "../config/suggestion";
import type { CheckFailure } from "./handler";

/** What happens to a machine when the resource that configures it is deleted. */
export interface OnDestroy {
  /**
   * Makes a control plane machine leave etcd, because it is terminated next. If the machine doesn't
   * answer, the delete waits and then fails. So `pulumi destroy` of a whole cluster fails once its
   * machines are gone. Then use `talos-aws destroy` or `deletedWith` of its `MachineSecrets`.
   * Prefer an `EtcdMember`, which also removes the members of dead machines; this option stays for
   * stacks that have it. Exclusive with `reset`. Default: false.
   */
  readonly leaveEtcd?: boolean;
  /**
   * Wipes the machine. An EC2 instance that is terminated needs no reset. A control plane machine
   * that keeps running does, or it joins etcd again at its next boot. Default: false.
   */
  readonly reset?: boolean;
  /**
   * First cordons and drains the node, and makes it leave etcd. Set false if the rest of the
   * cluster is gone, or if etcd would lose its quorum. Default: true.
   */
  readonly graceful?: boolean;
  /** Restarts the machine afterwards, into maintenance mode. Default: false; it stays off. */
  readonly reboot?: boolean;
  /**
   * Labels of the system partitions to wipe, for example `["STATE", "EPHEMERAL"]`, which leaves
   * Talos installed. With EPHEMERAL, etcd's own partition goes too, if there is one. Default: the
   * whole system disk; the machine then can't boot.
   */
  readonly systemLabelsToWipe?: readonly string[];
}

/**
 * The environment variable that overrides it for one run: `none`, or the JSON of an `OnDestroy`.
 */
export const ON_DESTROY_VARIABLE = "TALOS_AWS_ON_DESTROY";

const isFlag = (value: unknown) => typeof value === "boolean";
const isTexts = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => typeof item === "string" && item !== "");
const members: Readonly<
  Record<keyof OnDestroy, { readonly allowed: string; readonly fits: (value: unknown) => boolean }>
> = {
  leaveEtcd: { allowed: "true or false", fits: isFlag },
  reset: { allowed: "true or false", fits: isFlag },
  graceful: { allowed: "true or false", fits: isFlag },
  reboot: { allowed: "true or false", fits: isFlag },
  systemLabelsToWipe: {
    allowed: 'a list of labels, for example ["STATE", "EPHEMERAL"]',
    fits: isTexts,
  },
};

/** All problems of an `onDestroy`. */
export function checkOnDestroy(onDestroy: unknown): CheckFailure[] {
  if (onDestroy === undefined || isUnknown(onDestroy)) {
    return [];
  }
  if (typeof onDestroy !== "object" || onDestroy === null || Array.isArray(onDestroy)) {
    const reason = `${JSON.stringify(onDestroy)} is not valid: give an object, for example { reset: true }`;
    return [{ property: "onDestroy", reason }];
  }
  const names = Object.keys(members);
  const { leaveEtcd, reset } = onDestroy as OnDestroy;
  const clash: CheckFailure[] =
    leaveEtcd === true && reset === true
      ? [
          {
            property: "onDestroy.leaveEtcd",
            reason: "a graceful reset leaves etcd too: remove one of the two",
          },
        ]
      : [];
  const failures = Object.entries(onDestroy).flatMap(([name, value]): CheckFailure[] => {
    const member = new Map(Object.entries(members)).get(name);
    const property = `onDestroy.${name}`;
    if (member === undefined) {
      const suggestion = suggest(name, names);
      const hint = suggestion === undefined ? "" : `, did you mean "${suggestion}"`;
      return [
        { property, reason: `there is no such option${hint}: allowed are ${names.join(", ")}` },
      ];
    }
    return member.fits(value)
      ? []
      : [{ property, reason: `${JSON.stringify(value)} is not valid: give ${member.allowed}` }];
  });
  return [...failures, ...clash];
}

/**
 * The action of this destroy: the recorded one, unless the environment overrides it.
 *
 * @param override the value of `TALOS_AWS_ON_DESTROY`
 * @throws Error if that is invalid
 */
export function effectiveOnDestroy(
  recorded: OnDestroy | undefined,
  override: string | undefined,
): OnDestroy {
  if (override === undefined || override === "") {
    return recorded ?? {};
  }
  if (override === "none") {
    return {};
  }
  const given = parseJson(override);
  const problems = checkOnDestroy(given).map(({ property, reason }) => `${property}: ${reason}`);
  if (given === undefined || problems.length > 0) {
    const which = problems.length > 0 ? problems.join("; ") : "it is neither";
    throw new Error(
      `the environment variable ${ON_DESTROY_VARIABLE} must be "none" or JSON such as {"reset": true, "graceful": false}, not ${JSON.stringify(override)}: ${which}`,
    );
  }
  return given;
}

function parseJson(text: string): OnDestroy | undefined {
  try {
    return JSON.parse(text) as OnDestroy;
  } catch {
    return undefined;
  }
}

/**
 * `talos-aws destroy` sets it for its engine if the stack is deleted with all secrets of its
 * clusters. Machines then need not leave their clusters. People use `ON_DESTROY_VARIABLE` instead.
 */
export const CLUSTER_DELETION_VARIABLE = "TALOS_AWS_CLUSTER_GOES";

/** Whether this run deletes the whole cluster of each machine. */
export function deletesCluster(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment[CLUSTER_DELETION_VARIABLE] === "yes";
}
