interface CronField {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  /** Names of its values, from the least on. */
  readonly names?: readonly string[];
}

const FIELDS: readonly CronField[] = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day of the month", least: 1, most: 31 },
  {
    name: "month",
    least: 1,
    most: 12,
    names: "jan feb mar apr may jun jul aug sep oct nov dec".split(" "),
  },
  { name: "day of the week", least: 0, most: 6, names: "sun mon tue wed thu fri sat".split(" ") },
];

const MACROS = ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"];

/**
 * What is wrong with the schedule of a Kubernetes CronJob; undefined: nothing. Kubernetes reads it with
 * github.com/robfig/cron v3, in whose standard form Sunday is 0 and never 7 (parser.go, spec.go).
 */
export function cronProblem(schedule: string): string | undefined {
  const told = `"${schedule}" is no schedule of a CronJob`;
  if (schedule.startsWith("@")) {
    return MACROS.includes(schedule)
      ? undefined
      : `${told}: of words there are ${MACROS.join(", ")}; else write five fields, as in "0 */6 * * *"`;
  }
  const fields = schedule.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    const names = FIELDS.map(({ name }) => name).join(", ");
    return `${told}: it has ${fields.length} fields, not ${FIELDS.length} (${names}), as in "0 */6 * * *"`;
  }
  const wrong = FIELDS.filter((field, index) => !isField(field, fields[index] ?? ""));
  return wrong.length === 0
    ? undefined
    : `${told}: ${wrong.map(({ name, least, most }) => `the ${name} goes from ${least} to ${most}`).join("; ")}, as in "0 */6 * * *"`;
}

function isField(field: CronField, text: string): boolean {
  return text.split(",").every((part) => isRange(field, part));
}

function isRange(field: CronField, text: string): boolean {
  const [range = "", step, ...more] = text.split("/");
  const isStep = step === undefined || /^[1-9]\d*$/.test(step);
  if (more.length > 0 || !isStep) {
    return false;
  }
  if (range === "*" || range === "?") {
    return true;
  }
  const ends = range.split("-").map((end) => valueOf(field, end));
  const [first, last = first] = ends;
  return (
    ends.length <= 2 &&
    first !== undefined &&
    last !== undefined &&
    !ends.includes(undefined) &&
    first >= field.least &&
    first <= last &&
    last <= field.most
  );
}

function valueOf({ least, names = [] }: CronField, text: string): number | undefined {
  const index = names.indexOf(text.toLowerCase());
  if (index >= 0) {
    return least + index;
  }
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
