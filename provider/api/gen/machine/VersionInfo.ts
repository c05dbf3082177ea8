// Original file: provider/api/proto/machine/machine.proto


export interface VersionInfo {
  'tag'?: (string);
  'sha'?: (string);
  'built'?: (string);
  'goVersion'?: (string);
  'os'?: (string);
  'arch'?: (string);
}

export interface VersionInfo__Output {
  'tag': (string);
  'sha': (string);
  'built': (string);
  'goVersion': (string);
  'os': (string);
  'arch': (string);
}
