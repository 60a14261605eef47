package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.platform.WorkspaceAccount;

/**
 * Checks the file permissions of the workspace's account. The kernel does not restrict root, so a root process checks
 * here and never does for a caller what the account itself could not do.
 */
final class AccountPermissions {
    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int SEARCH = 1;

    private final Account account;
    private final boolean enforced;

    AccountPermissions(Account account) {
        this.account = account;
        this.enforced = WorkspaceAccount.current().isRoot() && !account.isRoot();
    }

    /** Whether new files must be given to the account, because they would belong to root otherwise. */
    boolean enforced() {
        return enforced;
    }

    Account account() {
        return account;
    }

    void requireRead(FileStat file, String shown) throws ToolFailure {
        require(file, READ, "read", shown);
    }

    void requireWrite(FileStat file, String shown) throws ToolFailure {
        require(file, WRITE, "write", shown);
    }

    void requireSearch(FileStat folder, String shown) throws ToolFailure {
        require(folder, SEARCH, "reach", shown);
    }

    /** Creating, replacing and removing require write access to the folder, not to the file. */
    void requireChange(FileStat folder, String shown) throws ToolFailure {
        require(folder, WRITE | SEARCH, "change the folder of", shown);
    }

    /** In a sticky folder, only the owner of the file or the folder may remove or replace it. */
    void requireRemoval(FileStat folder, FileStat file, String shown) throws ToolFailure {
        requireChange(folder, shown);
        if (enforced && folder.isSticky() && folder.uid() != account.uid() && file.uid() != account.uid()) {
            throw refusal("remove or replace", shown);
        }
    }

    private void require(FileStat stat, int bits, String verb, String shown) throws ToolFailure {
        if (enforced && (bitsFor(stat) & bits) != bits) {
            throw refusal(verb, shown);
        }
    }

    private int bitsFor(FileStat stat) {
        if (stat.uid() == account.uid()) {
            return stat.permissions() >> 6;
        }
        return stat.gid() == account.gid() ? stat.permissions() >> 3 & 7 : stat.permissions() & 7;
    }

    private ToolFailure refusal(String verb, String shown) {
        return new ToolFailure(
                ErrorCode.PERMISSION_DENIED,
                "The workspace's account '" + account.name() + "' is not permitted to " + verb + " '" + shown
                        + "'; give it to that account (chown " + account.uid() + ":" + account.gid()
                        + ") or use another workspace");
    }
}
