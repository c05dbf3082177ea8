// Original file: provider/api/proto/machine/lvm.proto


export interface LVMServiceVolumeGroupRemoveRequest {
  'volumeGroup'?: (string);
}

export interface LVMServiceVolumeGroupRemoveRequest__Output {
  'volumeGroup': (string);
}
