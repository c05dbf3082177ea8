/** Whom a client certificate of the Kubernetes API names. */
export interface KubernetesIdentity {
  /** The certificate's common name. */
  readonly user: string;
  /** Its organizations. */
  readonly groups: readonly string[];
}

/**
 * The group that Kubernetes lets do everything, before any rule is asked: no role binding, admission
 * policy or `kubectl auth` takes anything from who is in it.
 */
export const ADMINISTRATORS = "system:masters";

/** What RFC 5280, appendix A.1, has room for in a common name and in an organization. */
const MOST_CHARACTERS = 64;

/**
 * All that is wrong with an identity. Names that begin with `system:` are Kubernetes' own, and give
 * what a node or a controller may do (kubernetes.io, "Using RBAC Authorization": referring to
 * subjects).
 *
 * @param allowAdministrators whether the group `system:masters` is meant
 * @returns by name of the property
 */
export function checkKubernetesIdentity(
  { user, groups }: KubernetesIdentity,
  allowAdministrators: boolean,
): { property: "user" | `groups[${number}]`; reason: string }[] {
  const userReason = nameProblem(user, "user");
  return [
    ...(userReason === undefined ? [] : [{ property: "user" as const, reason: userReason }]),
    ...groups.flatMap((group, index) => {
      const reason =
        group === ADMINISTRATORS
          ? administratorsProblem(allowAdministrators)
          : nameProblem(group, "group");
      return reason === undefined ? [] : [{ property: `groups[${index}]` as const, reason }];
    }),
  ];
}

function administratorsProblem(isAllowed: boolean): string | undefined {
  return isAllowed
    ? undefined
    : `"${ADMINISTRATORS}" may do everything, whatever the cluster's rules say, until its certificate ends: bind a group of your own to a role, or set allowAdministrators`;
}

function nameProblem(name: string, what: "user" | "group"): string | undefined {
  if (name.trim() !== name || !/^[^\p{Cc}]+$/u.test(name) || name.length > MOST_CHARACTERS) {
    return `"${name}" is no name of a ${what}: write 1 to ${MOST_CHARACTERS} characters, without space around them`;
  }
  return name.startsWith("system:")
    ? `"${name}" is Kubernetes' own: what begins with "system:" stands for its own parts; take another name`
    : undefined;
}
