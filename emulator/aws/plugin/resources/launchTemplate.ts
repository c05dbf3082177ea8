import {
  CreateLaunchTemplateCommand,
  CreateLaunchTemplateVersionCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  ModifyLaunchTemplateCommand,
} from "@aws-sdk/client-ec2";
import { chosenName } from "../autoname";
import { unlessMissing } from "../awsErrors";
import { ec2Arn, ec2Tagging, tagSpecifications } from "../ec2Tagging";
import { nameProperties } from "../nameProperties";
import type { ResourceKind } from "../resourceKind";
import { fromTagList } from "../tags";
import { between, launchTemplateName } from "../valueRules";
import { templateData, templateValues } from "./launchTemplateData";
import { launchTemplateContent } from "./launchTemplateProperties";

const MISSING = ["InvalidLaunchTemplateId.NotFound", "InvalidLaunchTemplateName.NotFoundException"];

/** `aws.ec2.LaunchTemplate`: an update creates another version, and versions never change. */
export const launchTemplate: ResourceKind = {
  type: "aws:ec2/launchTemplate:LaunchTemplate",
  title: "launch template",
  regional: true,
  autoname: { maxLength: 125 },
  inputs: {
    ...launchTemplateContent,
    ...nameProperties(launchTemplateName(125), launchTemplateName(99)),
    defaultVersion: {
      type: "number",
      computed: true,
      conflictsWith: ["updateDefaultVersion"],
      rule: between(1),
    },
    updateDefaultVersion: { type: "boolean" },
  },
  outputs: ["arn", "latestVersion", "tagsAll"],
  tagging: ec2Tagging,

  reopens: (changed, news) => {
    // Like in the provider, a change of tags counts too.
    const unversioned = ["name", "namePrefix", "description"];
    const isVersion = changed.some((name) => !unversioned.includes(name));
    const isLatest = changed.some(
      (name) => ![...unversioned, "defaultVersion", "updateDefaultVersion"].includes(name),
    );
    return [
      ...(isVersion && news.boolean("updateDefaultVersion") === true ? ["defaultVersion"] : []),
      ...(isLatest ? ["latestVersion"] : []),
    ];
  },

  create: async (context, inputs) => {
    const { LaunchTemplate } = await context.aws.ec2.send(
      new CreateLaunchTemplateCommand({
        LaunchTemplateName: chosenName(inputs),
        VersionDescription: inputs.string("description"),
        LaunchTemplateData: templateData(inputs),
        TagSpecifications: tagSpecifications("launch-template", context.tagsOf(inputs)),
      }),
    );
    return LaunchTemplate?.LaunchTemplateId ?? "";
  },

  read: async (context, id) => {
    const { ec2 } = context.aws;
    const found = await unlessMissing(MISSING, () =>
      ec2.send(new DescribeLaunchTemplatesCommand({ LaunchTemplateIds: [id] })),
    );
    const live = found?.LaunchTemplates?.[0];
    if (live === undefined) {
      return undefined;
    }
    const { LaunchTemplateVersions } = await ec2.send(
      new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: id, Versions: ["$Latest"] }),
    );
    const latest = LaunchTemplateVersions?.[0];
    return {
      ...templateValues(latest?.LaunchTemplateData ?? {}),
      arn: ec2Arn(context, live.CreatedBy?.split(":")[4], `launch-template/${id}`),
      name: live.LaunchTemplateName ?? "",
      description: latest?.VersionDescription ?? null,
      defaultVersion: live.DefaultVersionNumber ?? 1,
      latestVersion: live.LatestVersionNumber ?? 1,
      tagsAll: fromTagList(live.Tags),
    };
  },

  update: async ({ aws }, id, { news, state, touches }) => {
    let latest = state.number("latestVersion") ?? 1;
    if (touches(...Object.keys(launchTemplateContent))) {
      const { LaunchTemplateVersion } = await aws.ec2.send(
        new CreateLaunchTemplateVersionCommand({
          LaunchTemplateId: id,
          VersionDescription: news.string("description"),
          LaunchTemplateData: templateData(news),
        }),
      );
      latest = LaunchTemplateVersion?.VersionNumber ?? latest;
    }
    const follows = news.boolean("updateDefaultVersion") === true;
    const chosen = follows ? latest : news.number("defaultVersion");
    if (chosen !== undefined && (follows || touches("defaultVersion"))) {
      await aws.ec2.send(
        new ModifyLaunchTemplateCommand({ LaunchTemplateId: id, DefaultVersion: String(chosen) }),
      );
    }
  },

  delete: async ({ aws }, id) => {
    await unlessMissing(MISSING, () =>
      aws.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId: id })),
    );
  },
};
