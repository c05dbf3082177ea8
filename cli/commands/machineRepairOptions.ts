import { InvalidArgumentError, Option } from "commander";
import { DEFAULT_BUDGET } from "../machineRepair/planMachineRepair";

export function machineOptions(): readonly Option[] {
  const { badMinutes, joinMinutes, mostAwayPercent } = DEFAULT_BUDGET;
  const number = (flags: string, what: string, value: number, least: number, most: number) =>
    new Option(flags, what).default(value).argParser((text) => {
      const given = Number(text);
      if (!/^\d+$/.test(text) || given < least || given > most) {
        throw new InvalidArgumentError(`give a whole number from ${least} to ${most}.`);
      }
      return given;
    });
  return [
    new Option("--machines", "replaces broken workers instead, a few at a time"),
    new Option("--dry-run", "with --machines: only shows what it would do"),
    new Option("--json", "with --machines: as JSON"),
    new Option("--cluster <output>", "the output with the cluster, if the stack has several"),
    number("--after-minutes <minutes>", "how long a worker is broken before", badMinutes, 5, 1_440),
    number("--join-minutes <minutes>", "how long a new worker may take", joinMinutes, 5, 1_440),
    number(
      "--most-away <percent>",
      "share of the workers that may be away",
      mostAwayPercent,
      1,
      50,
    ),
    number("--drain-seconds <seconds>", "how long a group's node may be drained", 300, 1, 86_400),
    new Option("--end-volumes", "also replaces workers whose data volumes end with them"),
  ];
}
