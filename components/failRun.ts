import * as pulumi from "@pulumi/pulumi";

/**
 * Fails a run for a problem that shows only when AWS is asked. An update stops at the resource. A
 * preview shows everything else first: nothing is made, and a rejected value would leave a program
 * that runs inline waiting for the resources that need it.
 *
 * @throws pulumi.ResourceError in an update
 */
export async function failRun(problem: string, resource: pulumi.Resource): Promise<void> {
  if (!pulumi.runtime.isDryRun()) {
    throw new pulumi.ResourceError(problem, resource, true);
  }
  await pulumi.log.error(problem, resource);
}
