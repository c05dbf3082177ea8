// Original file: provider/api/proto/machine/machine.proto


export interface InstallConfig {
  'installDisk'?: (string);
  'installImage'?: (string);
}

export interface InstallConfig__Output {
  'installDisk': (string);
  'installImage': (string);
}
