package dev.toolgate.runtime.sandbox.files;

/**
 * The result of {@code stat} for a file.
 *
 * @param mode type and permission bits
 * @param links the number of hard links
 */
record FileStat(int mode, int links, int uid, int gid, long device, long inode, long size) {
    private static final int TYPE_BITS = 0xF000;
    private static final int PERMISSION_BITS = 0x1FF;
    private static final int STICKY_BIT = 0x200;

    FileKind kind() {
        return switch (mode & TYPE_BITS) {
            case 0x8000 -> FileKind.FILE;
            case 0x4000 -> FileKind.FOLDER;
            case 0xA000 -> FileKind.LINK;
            case 0x1000 -> FileKind.FIFO;
            case 0x2000, 0x6000 -> FileKind.DEVICE;
            case 0xC000 -> FileKind.SOCKET;
            default -> FileKind.OTHER;
        };
    }

    /** Read, write and execute bits only, so that a replaced file never keeps set-uid. */
    int permissions() {
        return mode & PERMISSION_BITS;
    }

    boolean isSticky() {
        return (mode & STICKY_BIT) != 0;
    }

    boolean isSameFileAs(FileStat other) {
        return device == other.device && inode == other.inode;
    }
}
