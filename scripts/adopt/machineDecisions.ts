import { type Changes, changesOf, listChanges } from "./changes";
import type { SourceTexts } from "./citations";
import { compareApi } from "./compareApi";
import type { ReleaseFacts } from "./releaseFacts";
import { code, codes, pointsOf, type ReportSection } from "./reportSection";

/** What is to be decided about running machines: what they show, serve and run. */
export function machineDecisions(
  before: ReleaseFacts,
  after: ReleaseFacts,
  ours: SourceTexts,
): readonly ReportSection[] {
  const naming = (text: string) =>
    Object.keys(ours).filter((path) => !path.startsWith("scripts/") && ours[path]?.includes(text));
  return [
    resources(before, after, naming),
    services(before, after, naming),
    api(before, after),
    controllers(before, after, naming),
    constants(before, after, naming),
  ];
}

/** The files of ours that have a text. */
type Naming = (text: string) => readonly string[];

function resources(before: ReleaseFacts, after: ReleaseFacts, naming: Naming): ReportSection {
  const types = listChanges(Object.keys(before.resources), Object.keys(after.resources));
  const read = (type: string) => naming(`"${type}"`);
  const went = types.went.flatMap((type) => {
    const files = read(type);
    return files.length === 0 ? [] : [`${code(type)} is gone: ${codes(files)}`];
  });
  const changed = Object.entries(after.resources).flatMap(([type, fields]) => {
    const files = read(type);
    const changes = changesOf(before.resources[type] ?? fields, fields);
    return files.length === 0
      ? []
      : pointsOf(`Of ${code(type)}, the field`, changes, () => `: ${codes(files)}`);
  });
  return {
    title: "Resources that are read",
    question:
      "Read what has another place or type by each release. Simulated machines have the new types.",
    upstream: ["pkg/machinery/resources"],
    ours: [
      "provider/api/talosResources.ts",
      "provider/api/kubeletResources.ts",
      "provider/api/controlPlaneResources.ts",
      "emulator/talos/cosi/resourceDefinitionTable.ts",
    ],
    points: [
      ...went,
      ...changed,
      ...(types.came.length === 0 ? [] : [`New types, which nothing reads: ${codes(types.came)}`]),
      ...(types.went.length === went.length
        ? []
        : [
            `Types that are gone, which nothing read: ${codes(types.went.filter((type) => read(type).length === 0))}`,
          ]),
    ],
  };
}

function services(before: ReleaseFacts, after: ReleaseFacts, naming: Naming): ReportSection {
  return {
    title: "Services",
    question: "Say which services a well machine runs, and start them on simulated machines.",
    upstream: ["internal/app/machined/pkg/system/services"],
    ours: ["provider/lifecycle/health/judgeMachine.ts", "emulator/talos/machine/serviceCatalog.ts"],
    points: pointsOf("The service", listChanges(before.services, after.services), (name) => {
      const files = naming(`"${name}"`);
      return files.length === 0 ? "" : `: ${codes(files)}`;
    }),
  };
}

function api({ api: before }: ReleaseFacts, { api: after }: ReleaseFacts): ReportSection {
  const section = {
    title: "API",
    question:
      "Say which call does what by which release, what a retry of it does, and who may call it. Simulated machines serve it.",
    upstream: ["pkg/machinery/api"],
    ours: [
      "provider/api/lifecycleCalls.ts",
      "provider/api/retryPolicy.ts",
      "emulator/talos/apid/methodRoles.ts",
      "provider/api/proto/*",
    ],
  };
  if (before === undefined || after === undefined) {
    return { ...section, points: ["The API could not be read: see the end of this report."] };
  }
  const { methods, fields, words } = compareApi(before, after);
  return {
    ...section,
    points: [
      ...pointsOf("The method", methods),
      ...byOwner("The message", fields),
      ...byOwner("The enum", words),
    ],
  };
}

/** One point for each message or enum that has other members. */
function byOwner(what: string, { came, went, changed }: Changes): string[] {
  const owner = (name: string) => name.slice(0, name.lastIndexOf("."));
  const member = (name: string) => name.slice(name.lastIndexOf(".") + 1);
  const owners = new Set([...went, ...changed.map(({ name }) => name), ...came].map(owner));
  return [...owners].map((each) => {
    const own = (names: readonly string[]) =>
      names.filter((name) => owner(name) === each).map(member);
    const parts = [
      ["without", own(went)],
      ["otherwise", own(changed.map(({ name }) => name))],
      ["with", own(came)],
    ] as const;
    const told = parts.flatMap(([word, names]) =>
      names.length === 0 ? [] : [`${word} ${codes(names)}`],
    );
    return `${what} ${code(each)}: ${told.join(", ")}`;
  });
}

function controllers(before: ReleaseFacts, after: ReleaseFacts, naming: Naming): ReportSection {
  return {
    title: "Controllers",
    question: "Say for each controller what its failure means.",
    upstream: ["internal/app/machined/pkg/controllers"],
    ours: ["provider/lifecycle/health/controllerDuties.ts"],
    points: pointsOf(
      "The controller",
      listChanges(before.talos.controllers, after.talos.controllers),
      (name) => {
        const files = naming(name.replace(/Controller$/, ""));
        return files.length === 0 ? "" : `: ${codes(files)}`;
      },
    ),
  };
}

function constants(before: ReleaseFacts, after: ReleaseFacts, naming: Naming): ReportSection {
  const isImage = (name: string) => /(?:Image|Version|Registry)$/.test(name);
  const all = changesOf(before.constants, after.constants);
  const told = (name: string) => `: ${codes(naming(name))}`;
  // Of other constants, those whose former value or name stands in our code.
  const isOurs = (name: string) => naming(name).length > 0;
  const some = (isWanted: (name: string) => boolean): Changes => ({
    came: all.came.filter(isWanted),
    went: all.went.filter(isWanted),
    changed: all.changed.filter(({ name }) => isWanted(name)),
  });
  return {
    title: "Images and constants",
    question: "Correct the defaults that the package repeats, and the images that machines pull.",
    upstream: ["pkg/machinery/constants/constants.go"],
    ours: [
      "components/cluster/isolation/planRegistries.ts",
      "emulator/talos/config/imageFacts.ts",
      "emulator/talos/config/kubernetesImages.ts",
      "provider/config/generate/componentImage.ts",
    ],
    points: [
      ...pointsOf("The constant", some(isImage)),
      ...pointsOf(
        "The constant",
        some((name) => !isImage(name) && isOurs(name)),
        told,
      ),
    ],
  };
}
