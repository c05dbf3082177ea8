/** What went wrong in a test, as vitest tells it. */
interface TestProblem {
  readonly message: string;
  readonly stack?: string;
  readonly diff?: string;
}

/** A test, or something around tests, that failed. */
export interface Failure {
  /** Path below the checkout; unknown for an error outside of every file. */
  readonly file?: string;
  /** Names of the describe blocks and the test, joined by " > "; else what failed. */
  readonly title: string;
  /** Whether it is one test, which can run alone. */
  readonly isTest: boolean;
  readonly errors: readonly TestProblem[];
}

/** Suites whose files tell one story: a test of theirs needs those before it. */
const storySuites: readonly string[] = ["engine", "conformance"];

/** A failure for people: file, name, errors, and the command that runs it again. */
export function describeFailure(suite: string, failure: Failure): string {
  const { file, title, errors } = failure;
  const problems = errors.flatMap(({ message, stack = "", diff }) => [
    message,
    ...(diff === undefined ? [] : [diff]),
    ...stack.split("\n").filter((line) => line.trim().startsWith("at ")),
  ]);
  const lines = [
    `FAILED ${file ?? suite}`,
    `  ${title}`,
    ...problems.flatMap((problem) => problem.split("\n")).map((line) => `    ${line}`),
    `  again: ${repeatCommand(suite, failure)}`,
  ];
  return `\n${lines.join("\n")}\n\n`;
}

function repeatCommand(suite: string, { file, title, isTest }: Failure): string {
  if (file === undefined) {
    return `npm test -- ${suite}`;
  }
  const alone = isTest && !storySuites.includes(suite) ? ` -t ${quoted(title)}` : "";
  return `npm test -- ${suite} ${file}${alone}`;
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
